"""PNGs and JPEGs of every kind, with the pixels that Pillow sees in them and the exact averages of their areas."""

import base64
import io
import json
import struct
import zlib

import numpy as np
from PIL import Image

WIDTH, HEIGHT, SMALL = 33, 21, (10, 7)
noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 4), dtype=np.uint8)
ramp = np.zeros((HEIGHT, WIDTH, 4), dtype=np.uint8)
ramp[..., 0] = np.linspace(0, 255, WIDTH, dtype=np.uint8)
ramp[..., 1] = np.linspace(0, 255, HEIGHT, dtype=np.uint8)[:, None]
ramp[..., 2] = 128
ramp[..., 3] = 255


def saved(image, **options):
    out = io.BytesIO()
    image.save(out, **options)
    return out.getvalue()


def interlaced(rgba):
    """Pillow reads Adam7 but does not write it."""
    raw = b""
    for left, top, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        for row in rgba[top::dy, left::dx]:
            if row.size:
                raw += b"\0" + row.tobytes()

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", rgba.shape[1], rgba.shape[0], 8, 6, 0, 0, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def averaged(rgba):
    """Every pixel as often as the smaller picture is wide and high, so that its areas have whole borders."""
    width, height = SMALL
    alpha = rgba[..., 3:]
    weighted = np.concatenate([rgba[..., :3] * alpha, alpha], axis=2).repeat(height, axis=0).repeat(width, axis=1)
    means = weighted.reshape(height, HEIGHT, width, WIDTH, 4).mean(axis=(1, 3))
    means[..., :3] /= np.maximum(means[..., 3:], 1e-9)
    return np.floor(means + 0.5).clip(0, 255).astype(np.uint8)


def sample(content):
    image = Image.open(io.BytesIO(content))
    deep = image.mode.startswith("I")
    pixels = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8)).convert("RGBA") if deep else image.convert("RGBA")
    return {
        "base64": base64.b64encode(content).decode(),
        "rgba": base64.b64encode(pixels.tobytes()).decode(),
        "small": base64.b64encode(averaged(np.asarray(pixels, dtype=float)).tobytes()).decode(),
    }


colours = Image.fromarray(noise, "RGBA")
smooth = Image.fromarray(ramp, "RGBA")
many = colours.convert("RGB").quantize(256)
palette = smooth.convert("RGB").quantize(16)
exif = Image.Exif()
exif[0x0112] = 6

print(
    json.dumps(
        {
            "png": {
                "rgba": sample(saved(colours, format="PNG")),
                "smooth rgba": sample(saved(smooth, format="PNG")),
                "rgb": sample(saved(colours.convert("RGB"), format="PNG")),
                "rgb with a transparent colour": sample(
                    saved(smooth.convert("RGB"), format="PNG", transparency=tuple(int(c) for c in ramp[0, 0, :3]))
                ),
                "grey": sample(saved(colours.convert("L"), format="PNG")),
                "grey with alpha": sample(saved(colours.convert("LA"), format="PNG")),
                "16-bit grey": sample(saved(Image.fromarray(noise[..., 0].astype(np.uint16) * 257), format="PNG")),
                "black and white": sample(saved(colours.convert("1"), format="PNG")),
                "palette": sample(saved(palette, format="PNG")),
                "2-bit palette": sample(saved(smooth.convert("RGB").quantize(4), format="PNG", bits=2)),
                "palette with transparency": sample(saved(palette, format="PNG", transparency=bytes(range(0, 160, 10)))),
                "interlaced": sample(interlaced(noise)),
            },
            "jpeg": {
                "baseline": sample(saved(smooth.convert("RGB"), format="JPEG", quality=95)),
                "progressive": sample(saved(smooth.convert("RGB"), format="JPEG", quality=95, progressive=True)),
                "grey": sample(saved(smooth.convert("L"), format="JPEG", quality=95)),
            },
            "gif": {
                "noise": sample(saved(many, format="GIF", interlace=0)),
                "interlaced": sample(saved(many, format="GIF", interlace=1)),
                "few colours": sample(saved(palette, format="GIF")),
                "transparent": sample(saved(palette, format="GIF", transparency=3)),
                "animated": sample(saved(palette, format="GIF", save_all=True, append_images=[many, palette], duration=20)),
                "black and white": sample(saved(colours.convert("1"), format="GIF")),
            },
            "turned": sample(saved(smooth.convert("RGB"), format="JPEG", quality=95, exif=exif)),
        }
    )
)
