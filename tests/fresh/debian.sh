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

# Empty where this machine's packages are not Debian's: then debootstrap knows a place.
mirror() {
    if [[ -n ${HEADLIGHT_MIRROR:-} ]]; then
        printf '%s\n' "$HEADLIGHT_MIRROR"
    else
        # shellcheck disable=SC2016  # apt-get expands it, not the shell
        apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
            'Label: Debian' 2>/dev/null | sed -n 1p || true
    fi
}

# apart COMMAND…: what it mounts and starts is in namespaces of its own, and goes when it ends or
# this script does.
apart() {
    unshare --mount --pid --fork --kill-child --mount-proc "$@" </dev/null &
    child=$!
    local result=0
    wait "$child" || result=$?
    child=
    return "$result"
}
child=
trap '[[ -z $child ]] || kill -KILL "$child" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM HUP

clone=/headlight  # in the new system

make_system() {
    # shellcheck disable=SC2046  # no argument if there is no mirror
    apart debootstrap --variant=minbase "$suite" "$system" $(mirror) >>"$log" 2>&1 || return 1
    # What lies between this machine and its packages lies there too.
    cp -- /etc/resolv.conf "$system/etc/resolv.conf" || return 1
    { apt-config dump 2>/dev/null || true; } | grep -E '^Acquire::(https?::|Check-|Retries)' \
        >"$system/etc/apt/apt.conf.d/90network" || true
    printf '127.0.0.1 localhost\n' >"$system/etc/hosts"
    git -c safe.directory='*' clone --quiet -- "$repository" "$system$clone" >>"$log" 2>&1
}

# enter COMMAND…: runs it in the new system.
enter() {
    # shellcheck disable=SC2016  # the inner shell expands it
    apart bash -ec '
        mount -t proc proc "$0/proc"
        mount -t sysfs -o ro sysfs "$0/sys"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts"
        mount -t tmpfs -o mode=1777 shm "$0/dev/shm"
        exec chroot "$0" "$@"' \
        "$system" env -i HOME=/root TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
        "$@"
}

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

in_clone() { enter bash -ec "cd $clone && $1"; }

make_system || fail "the system could not be made: $log"
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
