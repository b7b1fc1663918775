#!/usr/bin/env bash
# Makes the pictures of the README and the docs anew, with the program itself. Who has pngquant and
# gifsicle gets them at a third of their size; they are not needed to build or use Headlight.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
headlight=${1:-$here/../../build/release/headlight}
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

# window STUDY [PICTURE] [OPTIONS]: the whole window with the named study
window() {
    "$headlight" new "$1" -o "$folder/$1.headlight"
    "$headlight" window "$folder/$1.headlight" -o "$here/$2.png" "${@:3}"
}
# matrix STUDY TENSOR [PICTURE]: one matrix of the named study
matrix() {
    [[ -e $folder/$1.headlight ]] || "$headlight" new "$1" -o "$folder/$1.headlight"
    "$headlight" export "$folder/$1.headlight" --tensor "$2" -o "$here/${3:-$1}.png"
}
# script STUDY PICTURE LINE…: the window after what the lines do
script() {
    printf '%s\n' "${@:3}" "screenshot $2.png" >"$folder/script"
    "$headlight" script "$1" "$folder/script" --folder "$here" --size 1280x800
}
# recording: four heads as another program would save them, with their tokens beside
recording() {
    local head words="The cat didn't cross the street because it was too tired ."
    tr ' ' '\n' <<<"$words" >"$folder/recording.txt"
    printf '\x93NUMPY\x01\x00v\x00%-117s\n' \
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 12, 12), }" >"$folder/recording.npy"
    for head in 0 1 2 3; do
        "$headlight" export "$folder/attention.headlight" -o "$folder/head.npy" \
            --tensor "blocks.0.attn.heads.$head.pattern"
        tail -c 576 "$folder/head.npy" >>"$folder/recording.npy"
    done
}
# smaller_pictures: every picture gets a palette of 256 colours; the flat areas of a window keep theirs
smaller_pictures() {
    if command -v pngquant >/dev/null; then
        pngquant --force --ext .png --nofs --speed 1 --quality 80-98 --strip -- "$here"/*.png
    else
        echo 'make.sh: without pngquant the pictures are three times as large' >&2
    fi
}
# smaller_film FILM COLOURS: only what changes from frame to frame is kept, in so many colours
smaller_film() {
    if command -v gifsicle >/dev/null; then
        gifsicle --batch --optimize=3 --colors "$2" "$here/$1.gif"
    else
        echo "make.sh: without gifsicle $1.gif is larger than it may be" >&2
    fi
}
head=blocks.0.attn.heads.0

"$headlight" window -o "$here/sentence.png"
window gat graph --theme dark
"$here/../../tests/bench/planted_graph.py" 20000 100000 20 >"$folder/planted.edges"
script induction logits 'click part logits' 'choose by = its mean' 'click button Sweep' 'wait 1' \
    'point tab Sentence'
script induction heads-compared 'click part blocks.0.attn' 'click head 1' 'choose Head 1 = mean' \
    'find compare with before the last edit' 'click part all heads' 'point tab Sentence'
script "$folder/planted.edges" communities 'press Esc' 'point tab Graph'
"$headlight" train induction -o "$folder/induction.safetensors" --threads 2 --film "$here/induction.gif"
script who-is-it train 'click tab Train' 'choose Task = Induction' 'click button +100' 'click button +100' \
    'point text Sentence'
script shapes shapes 'click tab Train' 'choose Task = Shapes' 'click button +100' 'click button +100' \
    'point tab Train'
window attention present --present

matrix shared "$head.scores"
window additive additive
matrix sparsemax "$head.pattern"
matrix documents "$head.pattern"
matrix alibi "$head.position_scores"
matrix language-model probs
window cross-attention cross-attention
window bahdanau bahdanau
matrix influence influence.encoder
matrix kv-cache decoding.work
window image image
matrix convolution difference
matrix gat gat.0.heads.0.ranking ranking-gat
matrix gatv2 gat.0.heads.0.ranking ranking-gatv2
window sentence-graph sentence-graph
matrix rollout across.rollout
window head-metrics head-metrics --show heads
panels() { # PICTURE GLOB OPTION...: heads of who-is-it as one figure
    "$headlight" export "$folder/who.headlight" -o "$here/$1.png" --panel "$2" --row it "${@:3}"
}
"$headlight" new who-is-it -o "$folder/who.headlight"
panels panels 'blocks.*.attn.heads.*.pattern' --width 178mm --across 4
panels panels-column 'blocks.1.attn.heads.*.pattern' --width 85mm
script attention export-dialog 'press Ctrl+E' 'click field Width' 'type 85mm' 'click field Type' \
    'type 7pt'
recording
"$headlight" window "$folder/recording.npy" -o "$here/recording.png" --show words
for study in karate shapes; do
    "$headlight" new "$study" -o "$folder/$study.headlight"
done
"${HEADLIGHT_PYTHON:-python3}" "$here/record.py" "$headlight" "$folder" # needs NumPy
for kind in graph picture; do
    "$headlight" window "$folder/$kind.attention.json" -o "$here/recorded-$kind.png" --size 1280x800
done
plot() { # NAME FILE... [OPTION...]
    "$headlight" plot "${@:2}" -o "$here/$1.png" --size 760x300
}
for task in dictionary-gat dictionary; do
    "$headlight" train "$task" -o "$folder/w.safetensors" --log "$folder/$task.csv" --steps 400 >/dev/null
done
mv "$folder/dictionary-gat.csv" "$folder/GAT.csv"
mv "$folder/dictionary.csv" "$folder/GATv2.csv"
plot dictionary "$folder/GAT.csv" "$folder/GATv2.csv" --column accuracy
plot translation-length "$here/../translation-length.csv" --column recurrent_exact \
    --column transformer_exact --column without_attention_exact
script attention lecture "click tab Lecture" "click button Who is “it”?" "wait 0.5" "click page 3" "wait 0.5"
script attention lecture-slide "click tab Lecture" "click button Query, key, value" "wait 0.5" "click page 1" "wait 0.5" "press F5" "wait 1"
# lesson NAME PAGE: a page of a lesson
lesson() {
    "$headlight" export "$here/../../assets/lessons/$1.lecture" -o "$folder/$1-{page}.png" --size 960x540
    cp -- "$folder/$1-0$2.png" "$here/lesson-$1.png"
}
lesson why-dot-products 1
lesson softmax-by-hand 4
lesson many-heads 3
lesson who-is-it 3
lesson alignment 6
lesson induction 3
lesson gat-or-gatv2 4
lesson images 5
# A lecture made in the window by hand, and its film
(cd -- "$folder" && "$headlight" script attention "$here/attention-in-20-minutes.script")
cp -- "$folder/attention-in-20-minutes.lecture" "$here/../"
"$headlight" export "$folder/attention-in-20-minutes.lecture" -o "$here/attention-in-20-minutes.gif" --size 711x400 --page-seconds 2
smaller_film induction 48
smaller_film attention-in-20-minutes 128
smaller_pictures
