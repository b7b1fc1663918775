#!/usr/bin/env bash
# Both commands of the README where nothing is installed: makes a minimal Debian in a folder, clones
# the repository's HEAD into it, and runs `./run` and `./run test` there, without a display.
#
#     debian.sh [--each-source] SUITE [FOLDER]
#
# SUITE is bookworm, trixie or what else debootstrap knows. FOLDER must not exist; it keeps the
# system, the logs and the window's picture, 3 GB in all (build/fresh/SUITE if it is not given).
# --each-source also compiles every source by itself, without what is precompiled. Packages come
# from where this machine's come from, or from HEADLIGHT_MIRROR. Needs root.
set -euo pipefail

repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

say() { printf 'fresh: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

wants_each_source=no
if [[ ${1:-} == --each-source ]]; then
    wants_each_source=yes
    shift
fi
[[ $# -ge 1 && $# -le 2 && $1 != -* ]] || fail 'usage: debian.sh [--each-source] SUITE [FOLDER]'
suite=$1 folder=${2:-$repository/build/fresh/$1}
[[ $(id -u) -eq 0 ]] || fail 'only root can make a system; try sudo'
command -v debootstrap >/dev/null || fail 'there is no debootstrap here'
[[ ! -e $folder ]] || fail "$folder exists; remove it, or name another folder"
mkdir -p -- "$folder"
folder=$(cd -- "$folder" && pwd -P)
system=$folder/system log=$folder/log

# shellcheck source=packaging/debian_system.sh
source "$repository/packaging/debian_system.sh"

clone=/headlight  # in the new system

# try WHAT COMMAND…: what the command prints is in the log, and on the screen how it went.
failures=0
try() {
    local what=$1 start=$SECONDS result=passed
    shift
    say "$suite: $what…"
    printf '\n==== %s\n' "$what" >>"$log"
    "$@" >>"$log" 2>&1 || result=FAILED
    say "$suite: $what: $result after $((SECONDS - start)) s"
    [[ $result == passed ]] || failures=$((failures + 1))
}

in_clone() { enter "$system" "" bash -ec "cd $clone && $1"; }

make_system "$suite" "$system" "$log" &&
    git -c safe.directory='*' clone --quiet -- "$repository" "$system$clone" >>"$log" 2>&1 ||
    fail "the system could not be made: $log"
try './run' in_clone './run'
cp -- "$system$clone/headlight.png" "$folder/" || failures=$((failures + 1))
try './run test' in_clone './run test'
cp -- "$system$clone"/build/*.log "$folder/"
if [[ $wants_each_source == yes ]]; then
    try 'every source by itself' in_clone '
        cmake -S . -B build/each -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=OFF \
            -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
        nice cmake --build build/each --target headlight -- -k 0'
fi
grep -E 'tests passed|\((Failed|Timeout)\)' "$log" >&2 || true
say "$(cat -- "$folder"/*.log "$log" | grep 'warning:' | sort -u | wc -l) warnings of the compiler"
say "the log is $log, the window $folder/headlight.png"
((failures == 0))
