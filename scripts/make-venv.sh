#!/bin/sh
# Makes the virtual environment. Usage: make-venv.sh PYTHON FOLDER
set -eu
python=$1 folder=$2

if ! command -v "$python" >/dev/null; then
    echo "tb_nanwatch needs Python 3.10 to 3.13; '$python' is not on the PATH. Install it, or run make PYTHON=/path/to/python" >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))'; then
    echo "tb_nanwatch needs Python 3.10 to 3.13; '$python' is $("$python" -V 2>&1). Run make PYTHON=/path/to/another" >&2
    exit 1
fi
# Debian ships the module venv apart, and without ensurepip it makes environments without pip.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    sh "$(dirname "$0")/apt-install.sh" "the Python module venv" python3-venv
fi
"$python" -m venv "$folder"
"$folder/bin/pip" install --quiet --upgrade 'pip>=25.1'
