#!/usr/bin/env bash
# A static HTML handout opens in Chromium from the disk, alone: nothing is loaded, nothing is said on the
# console, and the pointer reads the names and the value of a cell.
# Usage: handout_in_chromium.sh HEADLIGHT LECTURE. Skipped (77) without Chromium; HEADLIGHT_CHROMIUM
# names one.
set -euo pipefail

headlight=$1
lecture=$2
chromium=${HEADLIGHT_CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
if [[ -z $chromium ]] || ! "$chromium" --version >/dev/null 2>&1; then
    echo "skipped: there is no Chromium; HEADLIGHT_CHROMIUM can name one"
    exit 77
fi
if ! python3 --version >/dev/null 2>&1; then
    echo "skipped: there is no python3"
    exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cp -- "$lecture" "$folder/handout.lecture"
"$headlight" export "$folder/handout.lecture" --static -o "$folder/handout.html"

# The page itself moves the pointer over each figure, and writes what it sees below.
cat >"$folder/watch.js" <<'END'
const said = [];
addEventListener("error", e => said.push("error " + e.message), true);
END
cat >"$folder/point.js" <<'END'
let cells = 0, figures = 0;
for (const f of document.querySelectorAll("figure[data-maps]")) {
  figures++;
  const r = f.querySelector("img").getBoundingClientRect(), w = +f.dataset.w, h = +f.dataset.h;
  for (const m of JSON.parse(f.dataset.maps)) {
    const x = r.left + (m.x + m.w / m.v[0].length / 2) / w * r.width;
    const y = r.top + (m.y + m.h / m.v.length / 2) / h * r.height;
    f.dispatchEvent(new MouseEvent("mousemove", {clientX: x, clientY: y}));
    const tip = document.getElementById("tip");
    const name = (n, k) => n ? n[k] : k;
    const wanted = "[" + name(m.r, 0) + ", " + name(m.c, 0) + "] = " + m.v[0][0];
    if (tip.style.display !== "block" || tip.textContent !== wanted)
      said.push("tip " + tip.textContent + " is not " + wanted);
    cells++;
  }
  if (!r.width || !r.height) said.push("a figure has no size");
}
for (const e of performance.getEntriesByType("resource"))
  if (!e.name.startsWith("data:")) said.push("loaded " + e.name);
const result = document.createElement("pre");
result.id = "result";
result.textContent = figures + " figures, " + cells + " cells; " + (said.join("; ") || "all well");
document.body.append(result);
END
python3 - "$folder" <<'END'
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
page = (folder / "handout.html").read_text()
script = lambda name: "<script>" + (folder / name).read_text() + "</script>"
page = page.replace("<head>", "<head>" + script("watch.js"), 1)
point = script("point.js").replace("<script>", "<script>addEventListener('load',()=>{", 1)
point = point[: -len("</script>")] + "});</script>"
(folder / "driven.html").write_text(page.replace("</body>", point + "</body>", 1))
END

"$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$folder/profile" --host-resolver-rules='MAP * ~NOTFOUND' \
    --enable-logging=stderr --virtual-time-budget=5000 \
    --dump-dom "file://$folder/driven.html" >"$folder/dom.html" 2>"$folder/log"
if grep -q ':CONSOLE' "$folder/log"; then
    echo "the console says:"
    grep ':CONSOLE' "$folder/log"
    exit 1
fi
result=$(grep -o '<pre id="result">[^<]*' "$folder/dom.html" | sed 's/.*>//')
echo "${result:-the page has not come to its end}"
[[ $result =~ ^[1-9][0-9]*\ figures,\ [1-9][0-9]*\ cells\;\ all\ well$ ]]
