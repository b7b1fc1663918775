"""Patches of pictures, by hand and from models of transformers."""

import json
import os
import tempfile
import unittest
import zlib

import numpy as np
import torch
from safetensors.numpy import load_file as arrays_of

from headlight_capture import CaptureError, Writer, capture, write_picture
from headlight_capture.pictures import picture_pixels, png_bytes



def png_pixels(data):
    """What is in a PNG of 8-bit colours without filters."""
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    at = data.index(b"IDAT")
    size = int.from_bytes(data[at - 4 : at], "big")
    rows = np.frombuffer(zlib.decompress(data[at + 4 : at + 4 + size]), np.uint8)
    return rows.reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


class PictureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def index(self, name="run"):
        with open(self.path(name + ".attention.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_a_picture_and_its_patches_are_written(self):
        pixels = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
        pattern = np.random.default_rng(1).random((2, 3, 7, 7), dtype=np.float32)
        write_picture(self.path("run"), pixels, pattern, (2, 3))
        text = self.index()["texts"][0]["patches"]
        self.assertEqual((text["rows"], text["columns"], text["pixels"]), (2, 3, [4, 6]))
        self.assertEqual(text["before"], ["[CLS]"])
        with open(self.path(text["picture"]), "rb") as file:
            np.testing.assert_array_equal(png_pixels(file.read()), pixels)
        written = arrays_of(self.path(self.index()["shards"][0]))["0.self.pattern"]
        np.testing.assert_array_equal(written, pattern)

    def test_pictures_come_in_many_forms(self):
        grey = np.array([[0, 128], [255, 1]], np.uint8)
        for form in (grey, grey[:, :, None], grey / 255.0, torch.tensor(grey), np.stack([grey] * 3)):
            np.testing.assert_array_equal(picture_pixels(form), np.stack([grey] * 3, axis=2))
        self.assertEqual(picture_pixels(np.zeros((5000, 3000, 3), np.uint8)).shape, (1666, 1000, 3))
        for wrong in (np.zeros((2, 2, 5)), np.full((2, 2, 3), 1.5), np.zeros((0, 2, 3)), np.zeros(3)):
            with self.assertRaises(CaptureError):
                picture_pixels(wrong)
        self.assertTrue(png_bytes(picture_pixels(grey)).startswith(b"\x89PNG"))

    def test_a_grid_that_does_not_fit_is_refused(self):
        pixels = np.zeros((4, 4, 3), np.uint8)
        for grid, n in (((2, 3), 5), ((0, 3), 5)):
            with self.assertRaisesRegex(CaptureError, "does not fit"):
                write_picture(self.path("run"), pixels, np.zeros((1, 1, n, n)), grid)
        with self.assertRaisesRegex(CaptureError, "2 stand before"):
            Writer(self.path("run")).add_picture(pixels, np.zeros((1, 1, 6, 6)), (2, 2), ["a"])
        writer = Writer(self.path("run"))
        writer.add(["a", "b"], {"self": np.zeros((1, 1, 2, 2))})
        with self.assertRaisesRegex(CaptureError, "a text has patches"):
            writer.add_picture(pixels, np.zeros((1, 1, 2, 2)), (1, 2))

    def vit(self, **more):
        try:
            from transformers import ViTConfig, ViTModel
        except ImportError:
            self.skipTest("there are no transformers")

        torch.manual_seed(0)
        config = ViTConfig(
            hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24,
            image_size=8, patch_size=4, **more,
        )
        return ViTModel(config).eval()

    def test_a_vit_is_recorded_as_transformers_says(self):
        model, pixels = self.vit(), torch.randn(2, 3, 8, 8)
        with torch.no_grad(), capture(model, self.path("run"), qkv=True):
            model(pixel_values=pixels)
        model.set_attn_implementation("eager")
        with torch.no_grad():
            expected = model(pixels, output_attentions=True).attentions
        index = self.index()
        arrays = arrays_of(self.path(index["shards"][0]))
        for item, text in enumerate(index["texts"]):
            self.assertEqual((text["patches"]["rows"], text["patches"]["columns"]), (2, 2))
            for layer in range(2):
                np.testing.assert_array_equal(
                    arrays[f"{item}.self.pattern"][layer], expected[layer][item].numpy()
                )
        self.assertEqual(index["attentions"][0]["d_k"], 4)

    def test_the_picture_is_what_the_model_read_before_it_was_normalised(self):
        class Processor:
            image_mean, image_std, do_normalize = [0.5, 0.4, 0.3], [0.2, 0.3, 0.5], True

        model = self.vit()
        shown = torch.arange(192).reshape(1, 3, 8, 8) / 255.0
        mean, std = (torch.tensor(v).reshape(3, 1, 1) for v in (Processor.image_mean, Processor.image_std))
        with torch.no_grad(), capture(model, self.path("run"), processor=Processor()):
            model((shown - mean) / std)
        with open(self.path(self.index()["texts"][0]["patches"]["picture"]), "rb") as file:
            pixels = png_pixels(file.read())
        np.testing.assert_array_equal(pixels.transpose(2, 0, 1), np.arange(192).reshape(3, 8, 8))

    def test_pictures_can_be_given(self):
        model, picture = self.vit(), np.full((20, 20, 3), 7, np.uint8)
        with torch.no_grad(), capture(model, self.path("run"), pictures=[picture]):
            model(pixel_values=torch.randn(1, 3, 8, 8))
        self.assertEqual(self.index()["texts"][0]["patches"]["pixels"], [20, 20])
        with self.assertRaisesRegex(CaptureError, "pictures has 1, but more came by"):
            with torch.no_grad(), capture(model, self.path("run"), pictures=[picture]):
                model(pixel_values=torch.randn(2, 3, 8, 8))
