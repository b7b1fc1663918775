#!/usr/bin/env bash
# Runs every case that is measured beside PyTorch once, in a small size: peer_answers.sh PEER
# Each answer must be a number.
set -euo pipefail

cases='attention:4:8:2 causal:4:8:2 gpt2:2 minilm:2 edit:4:8:2 memory:4:8:2 watch:4:8:2 gat:5:8
    block training:32 softmax additive copy write fma'

questions() {
    local name
    for name in $cases; do printf 'time %s 1 0\n' "$name"; done
    printf 'time attention:4:8:2 2 0\nbytes memory:4:8:2\n'
}

n_wrong=0
while read -r question && read -r answer <&3; do
    printf '%-26s %s\n' "$question" "$answer"
    [[ $answer =~ ^-?[0-9.]+$ ]] || n_wrong=$((n_wrong + 1))
done < <(questions) 3< <(questions | "$1")
[[ ${question:-} == '' ]] || n_wrong=$((n_wrong + 1))  # fewer answers than questions
((n_wrong == 0))
