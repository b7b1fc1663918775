"""Writes the models of pictures of tests/golden/models.zip, and tests/golden/resized.zip: pictures in other sizes, by Pillow.

    python make_picture_models.py [NAME ...]

A folder has config.json, preprocessor_config.json, the weights, picture.png and expected.safetensors: "pixels" [3, rows, columns], which the
processor of `transformers` makes of the picture, all patterns [layers, heads, n, n], all hidden states [layers + 1, n, d_model] (the last
ones before the last norm), "last" [n, d_model], after it, and the logits [1, classes], if there are any, computed eagerly in float32.
resized.zip has picture.png and resized.safetensors: "FILTER.ROWSxCOLUMNS" [rows, columns, 3], bytes of Pillow's Image.resize."""

import os
import shutil
import sys

import numpy as np
import torch
import transformers as t
from PIL import Image
from safetensors.torch import save_file

import archive
from make_models import SMALL, randomize

HERE, RESIZED = archive.unpacked("models"), archive.unpacked("resized")
LABELS = {0: "crane", 1: "tabby, tabby cat", 2: "crane"}

MODELS = {
    "vit": (t.ViTForImageClassification, t.ViTConfig(**SMALL, image_size=(8, 12), patch_size=4, id2label=LABELS, label2id={}), torch.float32,
            dict(size=dict(height=8, width=12), image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225])),
    "vit-base": (t.ViTModel, t.ViTConfig(**SMALL, image_size=8, patch_size=2, qkv_bias=False, hidden_act="gelu_new", layer_norm_eps=1e-5), torch.bfloat16,
                 dict(size=dict(shortest_edge=10), do_center_crop=True, crop_size=dict(height=8, width=8), resample=3, do_normalize=False)),
    "vit-plain": (t.ViTForImageClassification, t.ViTConfig(**dict(SMALL, num_attention_heads=2), image_size=9, patch_size=3, num_labels=5, qkv_bias=False), torch.float16,
                  dict(size=dict(height=9, width=9), resample=0, rescale_factor=1 / 127.5, image_mean=[1, 1, 1], image_std=[1, 1, 1])),
}
SIZES = ((7, 5), (29, 41), (17, 9), (8, 23), (1, 1))


def picture(width, height, seed):
    """Smooth shapes and noise."""
    y, x = np.mgrid[0:height, 0:width]
    waves = np.stack([np.sin(x / 3 + c) * np.cos(y / (2 + c)) for c in range(3)], -1)
    noise = np.random.default_rng(seed).uniform(-1, 1, waves.shape)
    return Image.fromarray(np.clip(127 + 90 * waves + 60 * noise, 0, 255).astype(np.uint8))


def make(name):
    kind, config, dtype, how = MODELS[name]
    config._attn_implementation = "eager"
    model = kind(config).eval().float()
    randomize(model, dtype)
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    model.to(dtype).save_pretrained(folder)
    processor = t.ViTImageProcessorPil(**how)
    processor.save_pretrained(folder)
    image = picture(21, 13, 5)
    image.save(os.path.join(folder, "picture.png"))
    pixels = processor(image, return_tensors="pt")["pixel_values"]
    with torch.no_grad():
        out = model.float()(pixel_values=pixels, output_attentions=True, output_hidden_states=True)
        base = getattr(model, "vit", model)
        last = base(pixel_values=pixels).last_hidden_state
    expected = {"pixels": pixels[0], "patterns": torch.cat(out.attentions), "hidden": torch.cat(out.hidden_states), "last": last[0]}
    if "logits" in out:
        expected["logits"] = out.logits
    save_file({key: value.contiguous() for key, value in expected.items()}, os.path.join(folder, "expected.safetensors"))
    print(name, tuple(out.attentions[0].shape), sorted(os.listdir(folder)), sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)))


def resize():
    image = picture(23, 17, 3)
    image.save(os.path.join(RESIZED, "picture.png"))
    arrays = {}
    for filter in (Image.Resampling(number) for number in range(6)):
        for rows, columns in SIZES:
            resized = image.resize((columns, rows), resample=filter)
            arrays[f"{filter.name.lower()}.{rows}x{columns}"] = torch.from_numpy(np.array(resized))
    save_file(arrays, os.path.join(RESIZED, "resized.safetensors"))
    print(len(arrays), "resized")


if __name__ == "__main__":
    for each in sys.argv[1:] or MODELS:
        make(each)
    archive.pack("models")
    if not sys.argv[1:]:
        resize()
        archive.pack("resized")
