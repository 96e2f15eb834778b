#!/bin/sh
# Installs a Debian package where that is possible, else says what is missing. Usage: apt-install.sh WHAT PACKAGE
set -eu
what=$1 package=$2

if ! command -v apt-get >/dev/null; then
    echo "$what is missing, and this is no Debian where 'apt-get install $package' could bring it: please install it" >&2
    exit 1
fi
if [ "$(id -u)" != 0 ]; then
    echo "$what is missing: please run 'apt-get install $package' as root" >&2
    exit 1
fi
echo "$what is missing: installing the Debian package $package"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$package" >/dev/null
