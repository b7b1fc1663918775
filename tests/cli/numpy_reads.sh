#!/usr/bin/env bash
# What `headlight export` writes is read by NumPy itself and compared with the JSON, digit by digit.
# Usage: numpy_reads.sh HEADLIGHT. Skipped (77) where no Python has NumPy; HEADLIGHT_PYTHON names one.
set -euo pipefail

headlight=$1
python=${HEADLIGHT_PYTHON:-python3}
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "skipped: '$python' has no NumPy; HEADLIGHT_PYTHON can name a Python that has"
    exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
"$headlight" new sentence "The cat was tired" --causal on -o "$folder/s.headlight"
for name in all.npz all.safetensors all.json; do
    "$headlight" export "$folder/s.headlight" -o "$folder/$name"
done
"$headlight" export "$folder/s.headlight" --tensor 'blocks.*' -o "$folder/npy/{path}.npy"

"$python" - "$folder" <<'END'
import json, pathlib, struct, sys
import numpy as np

folder = pathlib.Path(sys.argv[1])
expected = {path: np.array([[float(x) for x in row] for row in entry["values"]], np.float32)
            for path, entry in json.loads((folder / "all.json").read_text()).items()}
assert len(expected) > 20

def check(path, values, source):
    assert values.dtype == np.float32, (source, path, values.dtype)
    np.testing.assert_array_equal(values, expected[path], err_msg=f"{source}: {path}")

with np.load(folder / "all.npz", allow_pickle=False) as archive:
    assert sorted(archive.files) == sorted(expected)
    for path in archive.files:
        check(path, archive[path], "npz")

files = list((folder / "npy").glob("*.npy"))
assert len(files) > 10
for file in files:
    check(file.stem, np.load(file, allow_pickle=False), "npy")

data = (folder / "all.safetensors").read_bytes()
(size,) = struct.unpack("<Q", data[:8])
header = json.loads(data[8:8 + size])
header.pop("__metadata__", None)
assert sorted(header) == sorted(expected)
for path, entry in header.items():
    begin, end = entry["data_offsets"]
    assert entry["dtype"] == "F32"
    check(path, np.frombuffer(data[8 + size + begin:8 + size + end], "<f4")
          .reshape(entry["shape"]), "safetensors")
print(f"NumPy {np.__version__} reads {len(expected)} matrices, all of them equal")
END
