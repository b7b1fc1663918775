#!/usr/bin/env bash
# `headlight export --watch` exports again when the study has changed, not when it was only touched,
# says what is wrong with a broken one and goes on, and ends with 0 on SIGINT.
# Usage: export_watch.sh HEADLIGHT
set -euo pipefail

headlight=$1
folder=$(mktemp -d)
study=$folder/s.headlight
# shellcheck disable=SC2317  # called by the trap
clean_up() {
    [[ -z ${program:-} ]] || kill -KILL "$program" 2>/dev/null || true
    rm -rf -- "$folder"
}
trap clean_up EXIT

fail() {
    printf 'export_watch: %s\n' "$*" >&2
    cat "$folder/log" >&2
    exit 1
}

# await COUNT PATTERN: until the log has so many such lines.
await() {
    local tries
    for ((tries = 0; tries < 600; ++tries)); do
        [[ $(grep -c -- "$2" "$folder/log") -ge $1 ]] && return 0
        sleep 0.1
    done
    fail "$1 lines '$2' were expected"
}

"$headlight" new sentence "The cat was tired" -o "$study"
# A shell gives what runs behind it no SIGINT, unless it is a job of its own.
set -m
"$headlight" export "$study" --tensor '*.heads.0.pattern' -o "$folder/{path}.csv" --watch \
    >"$folder/log" 2>&1 &
program=$!
set +m
await 1 Exported
touch "$study"
sleep 0.5
[[ $(grep -c Exported "$folder/log") -eq 1 ]] || fail "a touched study was exported again"
"$headlight" new sentence "The dog was tired" -o "$study"
await 2 Exported
grep -q dog "$folder/blocks.0.attn.heads.0.pattern.csv" || fail "the old study was exported"
echo '{' >"$study"
await 1 "headlight: \["
"$headlight" new sentence "The bird sang" -o "$study"
await 3 Exported
kill -INT "$program"
wait "$program" || fail "it ended with $?"
program=''
