#!/usr/bin/env bash
# Makes the program's icon anew: an attention pattern, drawn by the program itself. Added to it are
# gaps, round corners and the ground. Needs rsvg-convert (librsvg2-bin).
#
#     make.sh [HEADLIGHT]
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
headlight=${1:-$here/../../build/release/headlight}
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

study=$folder/icon.headlight pattern=$folder/pattern.svg
"$headlight" new sentence 'The cat was tired' --causal on --temperature 2 -o "$study"
"$headlight" export "$study" --tensor blocks.0.attn.heads.1.pattern --theme dark \
    --background transparent --steps per-row --numbers never --title off -o "$pattern"

# The cells are its coloured squares. Where they begin depends on how wide the labels are.
cells=$(grep -E '^<rect .* width="([0-9.]+)" height="\1" fill="#' "$pattern")
if [[ $(wc -l <<<"$cells") -ne 16 ]]; then
    echo 'make.sh: the pattern does not have 16 cells' >&2
    exit 1
fi
first=$(sed -E 's/[^"]*"([^"]*)"[^"]*"([^"]*)"[^"]*"([^"]*)".*/\1 \2 \3/;q' <<<"$cells")
read -r x y side <<<"$first"

# In a square of 48: the ground from 1 to 47, a cell every 10 from 4 on, 8 of them seen. At 48
# pixels all edges are between pixels.
icon=$here/hicolor/scalable/apps/headlight.svg ground='#131517'
mkdir -p -- "$(dirname -- "$icon")"
awk -v x="$x" -v y="$y" -v side="$side" -v ground="$ground" '
    BEGIN {
        scale = 10 / side
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"48\"" \
              " viewBox=\"0 0 48 48\">"
        printf "<rect x=\"1\" y=\"1\" width=\"46\" height=\"46\" rx=\"10\" fill=\"%s\"/>\n", ground
        printf "<g transform=\"translate(%.4f %.4f) scale(%.6f)\"",
               4 - x * scale, 4 - y * scale, scale
        printf " stroke=\"%s\" stroke-width=\"%g\">\n", ground, 2 / scale
    }
    { sub(/ fill/, " rx=\"" 2.25 / scale "\" fill"); print }
    END { print "</g>\n</svg>" }' <<<"$cells" >"$icon"

for size in 48 128 256; do
    picture=$here/hicolor/${size}x$size/apps/headlight.png
    mkdir -p -- "$(dirname -- "$picture")"
    rsvg-convert --width "$size" --height "$size" "$icon" --output "$picture"
done
