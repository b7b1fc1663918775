"""Pictures whose patches a model reads: as arrays, as PNG, and as a grid of patches."""

import struct
import zlib

import numpy as np

from .arrays import to_numpy
from .errors import CaptureError

MOST_PIXELS = 2048  # on a side; what Headlight reads


def picture_pixels(picture):
    """[height, width, 3] of bytes: of an array, a tensor, a PIL image or the path of a file.

    An array is [height, width], [height, width, 1 or 3 or 4] or [3, height, width]: bytes, or
    numbers from 0 to 1. A picture of more than 2048 pixels on a side is shrunk.
    """
    if isinstance(picture, (str, bytes)) or hasattr(picture, "__fspath__"):
        picture = opened(picture)
    if hasattr(picture, "convert"):
        picture = np.asarray(picture.convert("RGB"))
    is_bytes = str(getattr(picture, "dtype", "")).rpartition(".")[2] == "uint8"
    pixels = to_numpy(picture)
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    if pixels.ndim == 3 and pixels.shape[2] not in (1, 3, 4) and pixels.shape[0] in (1, 3):
        pixels = pixels.transpose(1, 2, 0)
    if pixels.ndim != 3 or pixels.shape[2] not in (1, 3, 4) or 0 in pixels.shape:
        raise CaptureError(f"a picture is [height, width, 3], not {pixels.shape}")
    pixels = np.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels[:, :, :3]
    if not is_bytes:
        if not np.isfinite(pixels).all() or pixels.min() < 0 or pixels.max() > 1:
            raise CaptureError("a picture is bytes, or numbers from 0 to 1")
        pixels = np.rint(pixels * 255)
    step = -(-max(pixels.shape[:2]) // MOST_PIXELS)
    if step > 1:
        height, width = (size // step * step for size in pixels.shape[:2])
        blocks = pixels[:height, :width].reshape(height // step, step, width // step, step, 3)
        pixels = np.rint(blocks.mean(axis=(1, 3), dtype=np.float64))
    return pixels.astype(np.uint8)


def opened(path):
    try:
        from PIL import Image
    except ImportError:
        raise CaptureError("to read a picture's file, install Pillow; or give its pixels") from None
    try:
        return Image.open(path)
    except OSError as error:
        raise CaptureError(f"the picture {path!r} cannot be read: {error}") from None


def png_bytes(pixels):
    """A PNG of [height, width, 3] bytes."""
    height, width = pixels.shape[:2]

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows.tobytes()))
        + chunk(b"IEND", b"")
    )


def tokens_before(n, given=None):
    """The names of the tokens that stand before the patches."""
    if given is not None:
        names = [str(name) for name in given]
        if len(names) != n:
            raise CaptureError(f"before= has {len(names)} names, but {n} stand before the patches")
        return names
    return (["[CLS]"] + [f"[REG{i}]" for i in range(1, n)])[:n]


def grid_of(config, pixel_values):
    """(rows, columns) of the patches that a model with this config cuts pixels into, or None."""
    side = getattr(config, "patch_size", None)
    sides = (side, side) if isinstance(side, int) else side
    if not sides or len(sides) != 2 or not all(isinstance(s, int) and s > 0 for s in sides):
        return None
    return pixel_values.shape[-2] // sides[0], pixel_values.shape[-1] // sides[1]


def shown_values(pixel_values, processor):
    """[3, height, width] from 0 to 1 of what a model read: as it was before its processor changed
    the range, or else stretched from its least to its largest number."""
    values = to_numpy(pixel_values)
    processor = getattr(processor, "image_processor", processor)
    is_normal = getattr(processor, "do_normalize", True)
    if is_normal and getattr(processor, "image_mean", None) is not None:
        mean, std = (
            np.reshape(np.asarray(numbers, np.float64), (-1, 1, 1))
            for numbers in (processor.image_mean, processor.image_std)
        )
        return np.clip(values * std + mean, 0, 1)
    if processor is not None:
        return np.clip(values, 0, 1)
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low or 1)
