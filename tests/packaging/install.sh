#!/usr/bin/env bash
# What is installed is where a desktop looks for it: the program starts, its entry is valid and
# names an icon that is there, a study is known by its name and by its first bytes, every link of the
# documentation leads to a file, and pip installs the Python package.
# Usage: install.sh CMAKE BUILD VERSION. Skipped (77) without the tools that read a desktop's files.
set -euo pipefail

cmake=$1 build=$2 version=$3
type=application/x-headlight+json
for tool in desktop-file-validate update-mime-database; do
    command -v "$tool" >/dev/null && continue
    echo "skipped: $tool is not installed; './run packages test' installs it"
    exit 77
done
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

fail() {
    printf 'install: %s\n' "$*" >&2
    exit 1
}

env -u DESTDIR "$cmake" --install "$build" --prefix "$folder/usr" >"$folder/log" ||
    fail "it cannot be installed: $(<"$folder/log")"
program=$folder/usr/bin/headlight share=$folder/usr/share
entry=$share/applications/headlight.desktop mime=$share/mime

[[ $("$program" --version) == "Headlight $version" ]] ||
    fail "the installed program does not say that it is Headlight $version"

problems=$(desktop-file-validate "$entry" 2>&1) || fail "$problems"
[[ -z $problems ]] || fail "$problems"
for pair in "Exec=headlight %f" "MimeType=$type;" "Icon=headlight"; do
    grep -qxF "$pair" "$entry" || fail "the entry does not say $pair"
done
for icon in scalable/apps/headlight.svg {48x48,128x128,256x256}/apps/headlight.png; do
    [[ -s $share/icons/hicolor/$icon ]] || fail "the icon $icon is missing"
done

problems=$(XDG_DATA_HOME=$share update-mime-database "$mime" 2>&1) ||
    fail "update-mime-database: $problems"
[[ -z $problems ]] || fail "$problems"
grep -qxF "50:$type:*.headlight" "$mime/globs2" || fail 'a study is not known by its name'
grep -qxF "$type application/json" "$mime/subclasses" || fail 'a study is not known as JSON'

n_links=0
while IFS= read -r page; do
    while IFS= read -r link; do
        [[ $link == *://* || $link == '#'* || $link == mailto:* ]] && continue
        n_links=$((n_links + 1))
        [[ -e $(dirname -- "$page")/${link%%#*} ]] || fail "${page#"$folder"} links to $link"
    done < <(grep -oE '\]\([^) ]+\)' "$page" | sed 's/^](//; s/)$//')
done < <(find "$share/doc" -name '*.md')
((n_links > 100)) || fail "only $n_links links were found in the documentation"

# The Python package, installed by pip from where only the system may write.
package=$share/doc/headlight/python
sources=${BASH_SOURCE[0]%/*}/../../python
for module in "$sources"/headlight{,_capture}/*.{py,js}; do
    [[ -e $module ]] || continue
    [[ -s $package/${module#"$sources/"} ]] || fail "$package lacks ${module##*/}"
done
if python3 -m pip --version >/dev/null 2>&1; then
    before=$(find "$package" | sort)
    problems=$(PYTHONDONTWRITEBYTECODE=1 python3 -m pip install --quiet --no-index --no-deps --no-cache-dir \
        --disable-pip-version-check --target "$folder/site" "$package" 2>&1) ||
        fail "pip cannot install $package: $problems"
    [[ -s $folder/site/headlight_capture/hooks.py && -s $folder/site/headlight/widget.js ]] ||
        fail 'pip has not installed the packages'
    [[ $(find "$package" | sort) == "$before" ]] || fail 'pip has written beside the sources'
fi

first_bytes=$'{\n  "headlight":'
"$program" new attention -o "$folder/a.headlight"
[[ $(head -c ${#first_bytes} "$folder/a.headlight") == "$first_bytes" ]] ||
    fail 'a study begins in another way'
[[ $(tr -d '\0' <"$mime/magic") == *"$first_bytes"* ]] ||
    fail 'a study is not known by its first bytes'
