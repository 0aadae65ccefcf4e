#!/usr/bin/env bash
# Writes the golden episodes anew: tests/golden/regenerate.sh [BUILD_FOLDER]. Look at `git diff` afterwards: each changed
# line is a change of the rules, the recogniser or the texts that somebody must have wanted.
# A file begins with the command that plays it on an index of the sample corpus without vectors. For another episode,
# write a file with such a line and run this.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly harnessg="${1:-build}/harnessg"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$harnessg" index data/sample/corpus.jsonl --out "$work/index" --embedder none >"$work/report"

for file in tests/golden/*.txt; do
  command=$(head -n 1 "$file")
  mapfile -t arguments < <(xargs printf '%s\n' <<<"${command#\$ harnessg play INDEX }")
  {
    printf '%s\n\n' "$command"
    "$harnessg" play "$work/index" "${arguments[@]}"
  } >"$work/episode"
  cp "$work/episode" "$file"
  echo "$file"
done
