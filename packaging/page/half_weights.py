"""Writes a file of weights with half floats, which are half as large.

    half_weights.py INPUT.safetensors OUTPUT.safetensors
"""
import json
import struct
import sys


def main():
    source, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + size])
    values = data[8 + size:]
    parts, end = [], 0
    for name, tensor in header.items():
        if name == "__metadata__":
            continue
        if tensor["dtype"] != "F32":
            sys.exit(f"{source}: {name} has {tensor['dtype']}, not F32")
        begin, stop = tensor["data_offsets"]
        count = (stop - begin) // 4
        numbers = struct.unpack_from(f"<{count}f", values, begin)
        parts.append(struct.pack(f"<{count}e", *numbers))
        tensor["dtype"] = "F16"
        tensor["data_offsets"] = [end, end + 2 * count]
        end += 2 * count
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with open(target, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


if __name__ == "__main__":
    main()
