#!/usr/bin/env bash
# Makes the page: one file that has the program, for every current browser.
#
#     build.sh [--test | --system] FOLDER
#
# --test builds the tests of numbers instead of the page, and runs them under node; --system makes only
# the Debian.
# FOLDER keeps a Debian 13 with emscripten (unless this machine is one), the libraries, the build, and at
# last headlight.html. Needs root for the Debian.
set -euo pipefail

repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

say() { printf 'page: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

target=page
case ${1:-} in
    --test) target=tests ;;
    --system) target=system ;;
esac
[[ $target == page ]] || shift
mkdir -p -- "$1"
folder=$(cd -- "$1" && pwd -P)
system=$folder/system log=$folder/log
: >"$log"

# shellcheck source=packaging/debian_system.sh
source "$repository/packaging/debian_system.sh"

packages=(emscripten cmake ninja-build pkgconf dpkg-dev meson ccache python3-fonttools
    libeigen3-dev nlohmann-json3-dev libfmt-dev libfast-float-dev doctest-dev
    fonts-inter fonts-dejavu-core fonts-dejavu-extra)

# The suite with its sources, and those of the suite before it, since a mirror may lack some.
install='
    sed -nE "s/^deb ([^ ]+) .*/\1/p" /etc/apt/sources.list | head -n 1 >/etc/apt/mirror
    for suite in trixie bookworm; do
        echo "deb-src $(cat /etc/apt/mirror) $suite main"
    done >/etc/apt/sources.list.d/sources.list
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update
    apt-get -q -y install --no-install-recommends "$@"'

if [[ ! -e $system/.ready ]]; then
    [[ $(id -u) -eq 0 ]] || fail 'only root can make the Debian 13 that has emscripten; try sudo'
    command -v debootstrap >/dev/null || fail 'there is no debootstrap here'
    say 'Making a Debian 13 with emscripten…'
    rm -rf -- "$system"
    make_system trixie "$system" "$log" || fail "the system could not be made: $log"
    enter "$system" '' bash -ec "$install" bash "${packages[@]}" >>"$log" 2>&1 ||
        fail "the packages could not be installed: $log"
    touch -- "$system/.ready"
fi
[[ $target != system ]] || exit 0

in_system() { enter "$system" "$repository" "$@" >>"$log" 2>&1; }

[[ $folder == "$repository"/* ]] || fail "$folder must be within $repository"
recipe=$(sha256sum <"$repository/packaging/page/libraries.sh")
if [[ ! -e $folder/.libraries || $(<"$folder/.libraries") != "$recipe" ]]; then
    say 'Compiling the libraries…'
    rm -rf -- "$folder/made" "$folder/root"
    in_system "$repository/packaging/page/libraries.sh" "$folder" ||
        fail "the libraries could not be compiled: $log"
    printf '%s\n' "$recipe" >"$folder/.libraries"
fi

say 'Compiling the page…'
in_system bash -ec '
    cd -- "$1"
    export CCACHE_DIR=$2/ccache
    emcmake cmake --fresh -S . -B "$2/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DHEADLIGHT_PAGE="$2/root" -DHEADLIGHT_IMGUI_SOURCE="$2/source/imgui"
    cmake --build "$2/build" --target "$3"
    if [[ $3 != page ]]; then ctest --test-dir "$2/build" --output-on-failure; fi
    ' bash "$repository" "$folder" "$target" || fail "the $target could not be made: $log"
[[ $target == page ]] || exit 0
cp -- "$folder/build/headlight.html" "$folder/headlight.html"
say "The page is $folder/headlight.html."
