# A minimal Debian in a folder, for scripts that are sourced with it: what they start there is gone when
# they end. Needs root and debootstrap.

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

# make_system SUITE SYSTEM LOG: SYSTEM must not exist. Packages come from where this machine's come from,
# or from HEADLIGHT_MIRROR.
make_system() {
    local suite=$1 system=$2 log=$3
    # shellcheck disable=SC2046  # no argument if there is no mirror
    apart debootstrap --variant=minbase "$suite" "$system" $(mirror) >>"$log" 2>&1 || return 1
    # What lies between this machine and its packages lies there too.
    cp -- /etc/resolv.conf "$system/etc/resolv.conf" || return 1
    { apt-config dump 2>/dev/null || true; } | grep -E '^Acquire::(https?::|Check-|Retries)' \
        >"$system/etc/apt/apt.conf.d/90network" || true
    printf '127.0.0.1 localhost\n' >"$system/etc/hosts"
}

# enter SYSTEM FOLDER COMMAND…: runs it in the system, where FOLDER is the same as here; "" is none.
enter() {
    local system=$1 folder=$2
    shift 2
    # shellcheck disable=SC2016  # the inner shell expands it
    apart bash -ec '
        system=$1 folder=$2
        shift 2
        mount -t proc proc "$system/proc"
        mount -t sysfs -o ro sysfs "$system/sys"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$system/dev/pts"
        mount -t tmpfs -o mode=1777 shm "$system/dev/shm"
        if [[ -n $folder ]]; then
            mkdir -p -- "$system$folder"
            mount --bind -- "$folder" "$system$folder"
        fi
        exec chroot "$system" "$@"' \
        bash "$system" "$folder" env -i HOME=/root TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
        "$@"
}
