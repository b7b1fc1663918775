"""The cases of images."""

from case import Case
from image import run_image
from settings import IMAGE, PATCH_STACK, change, study


def write(name, rows, columns, channels, image=None, **changes):
    pixels = [[[(11 * y + 23 * x + 37 * c) % 64 / 64 for c in range(channels)]
               for x in range(columns)] for y in range(rows)]  # exact, no two neighbours alike
    layer = IMAGE | (image or {}) | {"stack": change(PATCH_STACK, changes)}
    case = Case(name, study("image", pixels=pixels, layer=layer))
    case.write(run_image(case), omitted=[])


def write_all():
    write("image_1x1", 1, 1, 1, n_heads=1, d_model=2)
    write("image_pixels", 3, 4, 3, positions="sinusoidal", d_model=7)
    write("image_patches", 4, 6, 2, {"patch": 2}, positions="learned", residual=True, norm="pre",
          mlp="gelu", n_layers=2)
    write("image_patches_beyond_the_edge", 5, 4, 1, {"patch": 3}, positions="sinusoidal")
    write("image_quadratic", 3, 3, 1, relative="quadratic", n_heads=9, d_k=1, d_v=1, alpha=0.5)
    write("image_quadratic_4_heads", 2, 5, 1, relative="quadratic", n_heads=4, n_layers=2)
    write("image_classes", 4, 6, 2, {"patch": 2, "n_classes": 3}, relative="quadratic", n_heads=4,
          n_layers=2, residual=True, norm="pre", mlp="relu", final_norm=True)
    write("image_classes_plain", 3, 2, 1, {"n_classes": 2})
    write("convolution_neighbours", 4, 5, 2, {"mechanism": "convolution", "alpha": 1,
                                              "kernel": "neighbours", "centers": "random"})
    for name, alpha in (("wide", 0.5), ("narrow", 2)):
        write(f"convolution_{name}", 4, 5, 2, {"mechanism": "convolution", "alpha": alpha,
                                               "kernel_out": 2})
    write("convolution_one_row", 1, 6, 1, {"mechanism": "convolution", "alpha": 1})
