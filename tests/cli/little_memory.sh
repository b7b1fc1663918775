#!/usr/bin/env bash
# Where there is little memory, a command ends with a message: no library ends it by a signal.
# Usage: little_memory.sh HEADLIGHT
set -euo pipefail

headlight=$1
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
study=$folder/s.headlight
"$headlight" new sentence "the cat saw the moon" --layers 2 --heads 2 --unembedding tied \
    -o "$study" 2>"$folder/log"

# A program that is instrumented needs far more than that to begin.
(ulimit -v 400000 && "$headlight" --version) >/dev/null 2>&1 || exit 77

commands=(
    "list $study"
    "logits $study"
    "heads $study"
    "export $study --what heads -o $folder/a.png"
    "export $study --what words -o $folder/a.svg"
    "export $study --what matrix --tensor embed -o $folder/a.pdf"
    "export $study -o $folder/a.npz"
    "window $study -o $folder/w.png"
)
failures=0
for kilobytes in 60000 80000 100000 120000 150000 200000 250000 300000 400000; do
    # With less than the loader needs for the libraries the program does not begin.
    (ulimit -v "$kilobytes" && exec "$headlight" --version) >/dev/null 2>&1 || continue
    for command in "${commands[@]}"; do
        code=0
        # shellcheck disable=SC2086  # words of a command
        (ulimit -v "$kilobytes" && exec "$headlight" $command) >"$folder/out" 2>"$folder/err" || code=$?
        if ((code > 128)) || ((code > 0)) && ! grep -q '^headlight: ' "$folder/err"; then
            printf 'little_memory: %s kB: %s: ends with %s\n' "$kilobytes" "$command" "$code" >&2
            cat "$folder/err" >&2
            failures=1
        fi
    done
done
exit "$failures"
