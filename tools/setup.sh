#!/usr/bin/env bash
# Installs what the engine is built from: Debian packages, then .venv with pinned Python packages.
# Usage: tools/setup.sh [lint]     `lint` adds the C++ formatter and linter.
# Does nothing, and needs no network, when everything is already there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly uv_version=0.13.9

listed_packages() {
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"
}

missing_packages() {
  local package status
  for package in $(listed_packages "$@"); do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || echo "$package"
  done
}

install_debian_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian system; install the packages of $* by hand (docs/build.md says what each is for)" >&2
    exit 1
  fi
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086  # one word per package is meant
  set -- $missing
  if [ "$(id -u)" -ne 0 ]; then
    echo "setup: Debian packages are missing; run this command, then make setup again:" >&2
    echo "  sudo apt-get install --no-install-recommends $*" >&2
    exit 1
  fi
  echo "setup: installing $# Debian packages: $*"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >/dev/null
}

# The first Python of at least 3.11: the one on PATH, else Debian's.
find_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$python"
      return 0
    fi
  done
  echo "setup: Python 3.11 or newer is needed, and python3 is older or absent" >&2
  return 1
}

find_uv() {
  if command -v uv >/dev/null && uv --version >/dev/null 2>&1; then
    command -v uv
    return 0
  fi
  if ! .tools/bin/uv --version >/dev/null 2>&1; then
    "$1" -m venv --clear .tools >&2
    .tools/bin/python -m pip install --quiet --disable-pip-version-check "uv==$uv_version" >&2
  fi
  echo .tools/bin/uv
}

install_python_packages() {
  local stamp=.venv/installed-requirements.txt
  if .venv/bin/python -c '' 2>/dev/null && cmp -s tools/requirements.txt "$stamp"; then
    return 0
  fi
  local python uv
  python=$(find_python)
  uv=$(find_uv "$python")
  if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    rm -rf .venv
    "$uv" venv --quiet --no-python-downloads --python "$python" .venv
  fi
  echo "setup: installing Python packages into .venv"
  "$uv" pip install --quiet --python .venv/bin/python --no-deps --requirement tools/requirements.txt
  cp tools/requirements.txt "$stamp"
}

lists=(tools/debian-packages.txt)
case "${1:-}" in
  "") ;;
  lint) lists+=(tools/debian-packages-lint.txt) ;;
  *)
    echo "setup: unknown argument $1; usage: tools/setup.sh [lint]" >&2
    exit 2
    ;;
esac
install_debian_packages "${lists[@]}"
install_python_packages
