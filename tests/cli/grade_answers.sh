#!/usr/bin/env bash
# Two students answer in the window and save their answers; `headlight grade` makes a table of them
# and says how often each answer was given.
# Usage: grade_answers.sh HEADLIGHT LECTURE
set -euo pipefail

headlight=$1
lecture=$2
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

fail() {
    printf 'grade_answers: %s\n' "$*" >&2
    cat "$folder/said" "$folder/grades.csv" >&2 || true
    exit 1
}

# student NAME KEY: answers the first page rightly, the second one with that choice.
student() {
    cp -- "$lecture" "$folder/$1.lecture"
    cat >"$folder/$1.script" <<END
open $1.lecture
press F5
press 2
expect text Right.
press Right
press $2
click button Save answers…
type $folder/answers/$1
press Enter
expect no thing button Cancel
END
    "$headlight" script attention "$folder/$1.script" --folder "$folder"
}

mkdir "$folder/answers"
student ada 2
student ben 1
[[ $(find "$folder/answers" -type f | wc -l) -eq 2 ]] || fail "two files of answers were expected"
"$headlight" grade "$folder/answers" "$lecture" -o "$folder/grades.csv" >"$folder/said"
[[ $(wc -l <"$folder/grades.csv") -eq 3 ]] || fail "a head and a row for each student were expected"
grep -q '^ada,what reads,1,.*,1,,0,.*,2,6$' "$folder/grades.csv" || fail "ada has two tasks right"
grep -q '^ben,what reads,1,.*,0,,0,.*,1,6$' "$folder/grades.csv" || fail "ben has one task right"
grep -q '^Begin: 2 of 2 right$' "$folder/said" || fail "both are right about the first task"
grep -q '✓ what reads  \(█\)* 2$' "$folder/said" || fail "the first histogram has two answers"
grep -q 'the street.*  \(█\)* 1$' "$folder/said" || fail "the second histogram has a wrong answer"
