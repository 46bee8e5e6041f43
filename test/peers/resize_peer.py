"""Resizes a computed image with openpi_client or Pillow and prints the SHA-256 of the result.

    python resize_peer.py FIT WIDTH HEIGHT TO_WIDTH TO_HEIGHT
"""

import hashlib
import sys

import numpy as np
from openpi_client import image_tools
from PIL import Image


def picture(width, height):
    x, y, c = np.meshgrid(np.arange(width), np.arange(height), np.arange(3), indexing="xy")
    return ((x * 7 + y * 13 + c * 29 + (x * y) % 31) % 256).astype(np.uint8)


fit, (width, height, to_width, to_height) = sys.argv[1], map(int, sys.argv[2:6])
image = picture(width, height)
if fit == "pad":
    resized = image_tools.resize_with_pad(image, to_height, to_width)
else:
    resized = np.asarray(Image.fromarray(image).resize((to_width, to_height), Image.BILINEAR))
print(hashlib.sha256(np.ascontiguousarray(resized).tobytes()).hexdigest())
