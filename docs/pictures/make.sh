#!/usr/bin/env bash
# Makes the pictures of the README and the docs anew, with the program itself.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
headlight=${1:-$here/../../build/release/headlight}

"$headlight" window -o "$here/sentence.png"
graph=$(mktemp --suffix=.headlight)
trap 'rm -f -- "$graph"' EXIT
"$headlight" new graph "$here/../../assets/karate.edges" -o "$graph"
"$headlight" window "$graph" -o "$here/graph.png" --theme dark
