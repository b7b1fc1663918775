#!/usr/bin/env bash
# What `headlight export` writes under any labels is read by the parsers of Python: XML, CSV, JSON.
# Usage: parsers_read.sh HEADLIGHT. Skipped (77) without Python; HEADLIGHT_PYTHON names one.
set -euo pipefail

headlight=$1
python=${HEADLIGHT_PYTHON:-python3}
if ! "$python" -c 'import csv, json, xml.parsers.expat' 2>/dev/null; then
    echo "skipped: there is no '$python'; HEADLIGHT_PYTHON can name one"
    exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
"$python" - "$folder" <<'END'
import json, pathlib, sys

odd = [chr(c) for c in range(1, 128)]
odd += ["\x85", "\x9b", "\u0301", "\u200d", "\u2028", "\u202e", "\u05d0", "\ufffe", "\uffff",
        "\U0001f642", "=SUM(A1)", ";=1", "[SEP]", "*", "]]>", "<!--", "&amp;"]
names = ["a" + o if o.strip() == "" else o for o in odd]
names = list(dict.fromkeys(names))
nodes = [{"id": name} for name in names]
links = [{"source": names[0], "target": name} for name in names[1:]]
pathlib.Path(sys.argv[1], "graph.json").write_text(json.dumps({"nodes": nodes, "links": links}))
END
"$headlight" new graph "$folder/graph.json" -o "$folder/g.headlight" 2>"$folder/notes"
tensor=gat.0.heads.0.pattern
for ending in svg csv tsv json; do
    "$headlight" export "$folder/g.headlight" --tensor "$tensor" -o "$folder/p.$ending"
done
"$headlight" export "$folder/g.headlight" --what graph -o "$folder/graph.svg"

"$python" - "$folder" "$tensor" <<'END'
import csv, json, pathlib, sys
import xml.parsers.expat

folder, tensor = pathlib.Path(sys.argv[1]), sys.argv[2]
values = json.loads((folder / "p.json").read_text())[tensor]["values"]
for name in ("p.svg", "graph.svg"):
    xml.parsers.expat.ParserCreate().Parse((folder / name).read_bytes(), True)
for name, dialect in (("p.csv", "excel"), ("p.tsv", "excel-tab")):
    with open(folder / name, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file, dialect))
    assert len(lines) == 1 + len(values), (name, len(lines))
    for line, row in zip(lines[1:], values):
        assert [float(x) for x in line[1:]] == [float(x) for x in row], (name, line)
    assert not any(cell[:1] in "=+@" and cell for line in lines for cell in line[:1]), name
print(f"XML, CSV and JSON of {len(values)} labels are well-formed")
END
