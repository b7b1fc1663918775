#!/usr/bin/env bash
# Makes the pictures of the README and the docs anew, with the program itself.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
headlight=${1:-$here/../../build/release/headlight}

"$headlight" window -o "$here/sentence.png"
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
"$headlight" new graph "$here/../../assets/karate.edges" -o "$folder/karate.headlight"
"$headlight" window "$folder/karate.headlight" -o "$here/graph.png" --theme dark
