#!/usr/bin/env bash
# The real program under a virtual display, with a real pointer and a real keyboard: a sentence is
# typed, a weight is dragged, the study is saved through the dialog, the numbers in the file are the
# ones that the window showed, a picture goes through the real clipboard, and the next start opens the
# study again, with the window as large as it was. Where a session or a terminal ends, nothing is
# asked and nothing is lost.
#
#     end_to_end.sh HEADLIGHT WINDOW_PLACES
set -euo pipefail

headlight=$1 window_places=$2
folder=$(mktemp -d)
patience_secs=120
export XDG_STATE_HOME=$folder/state
export LC_ALL=C.UTF-8  # xdotool reads and types by the locale

say() { printf 'end_to_end: %s\n' "$*" >&2; }

fail() {
    say "$*"
    [[ ! -s $folder/log ]] || sed 's/^/  the program said: /' "$folder/log" >&2
    exit 1
}

# shellcheck disable=SC2317  # called by the trap
clean_up() {
    [[ -z ${program:-} ]] || kill -KILL "$program" 2>/dev/null || true
    [[ -z ${server:-} ]] || kill "$server" 2>/dev/null || true
    rm -rf -- "$folder"
}
trap clean_up EXIT

# wait_for WHAT COMMAND…: until the command succeeds.
wait_for() {
    local what=$1 end=$((SECONDS + patience_secs))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || fail "waited $patience_secs s in vain: $what"
        [[ -z ${program:-} ]] || kill -0 "$program" 2>/dev/null || fail "the program is gone: $what"
        sleep 0.05
    done
}

need() {
    command -v "$1" >/dev/null || fail "$1 is not installed; './run packages test' installs it"
}

start_display() {
    Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp -noreset \
        3>"$folder/display" 2>"$folder/log" &
    server=$!
    wait_for 'a virtual display' test -s "$folder/display"
    DISPLAY=:$(<"$folder/display")
    export DISPLAY
    unset WAYLAND_DISPLAY
}

# Without a look for leaks: what a driver leaks and then unloads cannot be told from the program's.
start_program() {
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 "$headlight" "$@" \
        >"$folder/log" 2>&1 &
    program=$!
    wait_for 'the window' title_is '.* – Headlight'
    window=$(xdotool search --onlyvisible --name ' – Headlight$' | head -n 1)
    xdotool windowfocus --sync "$window"
}

# The title is the program's answer: it names the study, and says whether it was changed.
title_is() {
    xdotool search --onlyvisible --name "^$1\$" | grep -q .
}

window_is() { [[ $(xdotool getwindowgeometry "$window") == *"$1"* ]]; }

# xdotool waits 15 s for a pointer that is there already to move: one step aside first.
move_to() {
    xdotool mousemove --window "$window" $(($1 + 1)) "$2" \
        mousemove --sync --window "$window" "$1" "$2"
}

# drag_up X Y POINTS
drag_up() {
    local i
    move_to "$1" "$2"
    xdotool mousedown 1
    for ((i = 1; i <= $3; i += 3)); do move_to "$1" $(($2 - i)); done
    xdotool mouseup 1
}

# values_of STUDY PATH
values_of() {
    "$headlight" run "$1" --tensor "$2" -o "$folder/values.json"
    cat "$folder/values.json"
}

same_values() { [[ $(values_of "$saved" "$1") == "$(values_of "$expected" "$1")" ]]; }

# What another program would paste.
is_pasted() {
    xclip -selection clipboard -target image/png -out >"$folder/pasted.png" &&
        [[ -s $folder/pasted.png ]]
}

for tool in Xvfb xdotool xclip xprop; do need "$tool"; done
weights=blocks.0.attn.heads.0.W_Q pattern=blocks.0.attn.heads.0.pattern
before=$folder/before.headlight expected=$folder/expected.headlight saved=$folder/saved.headlight
"$headlight" new sentence 'one two three' -o "$before"
"$headlight" new sentence 'four more words typed' -o "$expected"

start_display
start_program "$before"
[[ $(xprop -id "$window" WM_CLASS) == *'"headlight", "headlight"' ]] ||
    fail 'the window does not say that it belongs to headlight.desktop'
read -r x y < <("$window_places" "$before" 'text Sentence')
move_to "$x" "$y"
xdotool click 1 key ctrl+a type --delay 20 'four more words typed'
wait_for 'the edited title' title_is 'before.headlight · edited – Headlight'

read -r x y < <("$window_places" "$expected" "cell $weights 3 2")
drag_up "$x" "$y" 40
xdotool key ctrl+shift+s key ctrl+a type --delay 20 "$saved"
xdotool key Return
wait_for 'the saved study' test -s "$saved"
wait_for 'the title of the saved study' title_is 'saved.headlight – Headlight'

xdotool key ctrl+shift+c
wait_for 'a picture in the clipboard' is_pasted
xdotool key ctrl+e key ctrl+a type --delay 20 "$folder/exported.png"
xdotool key Return
wait_for 'the exported picture' test -s "$folder/exported.png"
cmp "$folder/pasted.png" "$folder/exported.png" ||
    fail 'the picture in the clipboard is not the one that is exported'

# end_program [SIGNAL]
end_program() {
    kill -"${1:-TERM}" "$program"
    wait "$program" || fail "the program ended with code $?"
    program=
}

xdotool windowsize --sync "$window" 1280 800
end_program
start_program
title_is 'saved.headlight – Headlight' || fail 'the study of the last time is not there again'
wait_for 'the window, as large as it was' window_is 1280x800
xdotool key F5
wait_for 'the whole screen' window_is 1920x1200
xdotool key F5
wait_for 'the window after it' window_is 1280x800
end_program

for signal in TERM INT HUP; do
    rm -f -- "$XDG_STATE_HOME/headlight/window.json"  # it would open the last study in a tab, too
    start_program "$before"
    read -r x y < <("$window_places" "$before" 'text Sentence')
    move_to "$x" "$y"
    xdotool click 1 key ctrl+a key "${signal:0:1}"
    wait_for 'the edited title' title_is 'before.headlight · edited – Headlight'
    end_program "$signal"
    unsaved=("$XDG_STATE_HOME"/headlight/unsaved/*.journal)
    grep -qF "\\\"${signal:0:1}\\\"" "${unsaved[@]}" || fail "SIG$signal: what was typed is not kept"
    rm -- "${unsaved[@]}"
done

[[ $("$headlight" list "$saved" | awk -v path="$pattern" '$1 == path { print $2, $3 }') == '4 4' ]] ||
    fail "the pattern of four typed words is not 4 × 4"
grep -q '"four more words typed"' "$saved" || fail 'the text is not the typed one'
same_values embed || fail 'the embeddings are not those of the typed words'
! same_values "$weights" || fail 'the dragged weight is as it was'
! same_values "$pattern" || fail 'the pattern did not follow the weight'
"$headlight" explain "$saved" "$weights" 3 2 | grep -q 'set by hand' ||
    fail 'the dragged cell is not the one that was set'
say 'done'
