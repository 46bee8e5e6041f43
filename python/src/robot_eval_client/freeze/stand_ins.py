"""Stand-ins for visual files that an installation lacks, such as meshes and textures that are not in a checkout.

Visible geoms have neither contacts nor mass in the suites that are frozen, so the physics is that of the original; pictures are
not. A missing file that the physics needs is an error.
"""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np

from . import FreezeError
from .png import png

#: A tetrahedron of 1 cm.
_MESH = "v 0 0 0\nv 0.01 0 0\nv 0 0.01 0\nv 0 0 0.01\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
_GREY = 128
_TEXTURE_PIXELS = 8


class StandIns:
    """Replaces missing files in composed models, and knows which they were."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="robot-eval-stand-ins-"))
        self._mesh, self._texture = self._folder / "mesh.obj", self._folder / "texture.png"
        self._mesh.write_text(_MESH)
        self._texture.write_bytes(png(np.full((_TEXTURE_PIXELS, _TEXTURE_PIXELS), _GREY)))
        self.missing: set[Path] = set()

    def completed(self, text: str) -> str:
        """The model, whose files have absolute paths, with existing files only."""
        root = ElementTree.fromstring(text)
        for element in root.iter():
            named = element.get("file")
            if named is None or Path(named).exists():
                continue
            self.missing.add(Path(named))
            if element.tag == "mesh" and element.get("name") is None:
                element.set("name", Path(named).stem)
            element.set("file", str(self._texture if element.tag == "texture" else self._mesh))
        return ElementTree.tostring(root, encoding="unicode")

    def check(self, text: str, model: Any) -> None:
        """Raises FreezeError if a missing mesh has contacts or mass. `text` is the model before its completion."""
        root = ElementTree.fromstring(text)
        compiler = root.find("compiler")
        low, high = (int(part) for part in ("0 5" if compiler is None else compiler.get("inertiagrouprange", "0 5")).split())
        for element in root.iter("mesh"):
            path = Path(element.get("file", ""))
            if path not in self.missing:
                continue
            mesh = model.mesh(element.get("name", path.stem)).id
            for geom in (number for number in range(model.ngeom) if model.geom_dataid[number] == mesh):
                touches = model.geom_contype[geom] or model.geom_conaffinity[geom]
                if touches or low <= model.geom_group[geom] <= high:
                    raise FreezeError(f"{path} is missing, and the physics needs it")
