#!/usr/bin/env bash
# Says how long the build and its parts take, as rows of a table: build_times.sh CMAKE SOURCE FOLDER JOBS
# builds in FOLDER, which must not exist. Sources are touched, never changed.
set -euo pipefail
cmake=$1 source=$2 folder=$3 jobs=$4

# row WHAT COMMAND…: its time by the wall and of all processors
row() {
    local TIMEFORMAT='%R %U %S' what=$1 times wall user system
    shift
    times=$({ time "$@" >>"$folder.log" 2>&1; } 2>&1) || {
        tail -n 20 "$folder.log" >&2
        exit 1
    }
    read -r wall user system <<<"$times"
    awk -v what="$what" -v wall="$wall" -v user="$user" -v system_s="$system" \
        'BEGIN { printf "| %s | %.0f s | %.0f s |\n", what, wall, user + system_s }'
}

build() { "$cmake" --build "$folder" -j "$jobs" --target "$1"; }
touched() { touch -- "$source/$1" && build headlight; }

# The files that a compiled unit reads: median and largest.
count_includes() {
    (cd -- "$folder" && ninja -t deps) | awk '
        /#deps/ { if (name ~ /\.o:$/) print count; name = $1; count = 0; next }
        NF == 1 { ++count }
        END { if (name ~ /\.o:$/) print count }' | sort -n |
        awk '{ counts[NR] = $1 } END { printf "| files that a unit reads | median %d | most %d |\n",
              counts[int((NR + 1) / 2)], counts[NR] }'
}

rm -f -- "$folder.log"
echo "| with $jobs at a time | wall | processors |"
echo "|---|---|---|"
row 'configuring' "$cmake" -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DHEADLIGHT_CCACHE=
row 'compiling it' build headlight
row 'one panel touched' touched src/ui/panels/heads_panel.cpp
row 'core/trace.h touched' touched src/core/trace.h
row 'views/scene.h touched' touched src/views/scene.h
row 'the tests' build tests
row 'running them' "${cmake%cmake}ctest" --test-dir "$folder" -j "$jobs"
count_includes
