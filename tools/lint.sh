#!/usr/bin/env bash
# Checks format and style: tools/lint.sh BUILD_FOLDER (which holds compile_commands.json).
# Rewrites the sources in the project's format instead: tools/lint.sh --fix
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t cpp < <(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h')
readonly ruff=.venv/bin/ruff

if [ "${1:-}" = --fix ]; then
  clang-format -i "${cpp[@]}"
  "$ruff" format
  "$ruff" check --fix
  exit 0
fi

# The lists of sources are explicit: a file that none of them names is neither compiled nor tested.
unlisted_sources() {
  local file list
  for file in "${cpp[@]}"; do
    case "$file" in *.h | tests/consumer/*) continue ;; esac
    list=${file%/*}/CMakeLists.txt
    [ -f "$list" ] || list=${file%%/*}/CMakeLists.txt
    grep -qw -e "$(basename "$file" .cpp)" "$list" || echo "$file: not named in $list"
  done
}

status=0
unlisted=$(unlisted_sources)
[ -z "$unlisted" ] || { echo "$unlisted" >&2; status=1; }
clang-format --dry-run -Werror "${cpp[@]}" || status=1
"$ruff" format --check || status=1
"$ruff" check || status=1
run-clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p "${1:?build folder}" 2>&1 |
  grep -vE '^(clang-tidy[-0-9]* .*|[0-9]+ warnings? generated\.|Suppressed .*|Use -header-filter.*|[0-9]+ warnings? treated as errors?)?$' || true
[ "${PIPESTATUS[0]}" -eq 0 ] || status=1
exit "$status"
