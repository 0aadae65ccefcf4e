#!/usr/bin/env bash
# Indexes the sample corpus with the sentence encoder and plays one two-hop question: tools/demo.sh [BUILD_FOLDER].
# Fails unless the episode selects the gold sentences of both hops.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly build="${1:-build}"
readonly harnessg="$build/harnessg"
readonly index="$build/demo-index"
readonly episode="$build/demo-episode.txt"

show() {
  printf '\n$ %s\n' "${*@Q}" | sed "s/'\([A-Za-z0-9_.,/=-]*\)'/\1/g"
  "$@"
}

show "$harnessg" index data/sample/corpus.jsonl --out "$index" --embedder minilm --force
show "$harnessg" info "$index"
show "$harnessg" play "$index" --questions data/sample/questions.jsonl --id q02 \
  --actions A12,A1,A9 --answer-text Dunfermline | tee "$episode"

if ! grep -q '^evidence .* 2 of 2 selected$' "$episode"; then
  echo "demo: the episode did not select the gold sentences of both hops; see the summary above" >&2
  exit 1
fi
