#!/bin/sh
# The browser tests need a Chromium; NANWATCH_CHROMIUM may name one.
set -eu
[ -n "${NANWATCH_CHROMIUM:-}" ] && exit 0
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
sh "$(dirname "$0")/apt-install.sh" "a Chromium for the browser tests (NANWATCH_CHROMIUM can name one)" chromium
