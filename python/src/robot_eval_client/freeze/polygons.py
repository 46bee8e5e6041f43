"""The polygons of a model's meshes, in the order in which this build of MuJoCo has them.

MuJoCo's compiler collects them in a hash table, whose order depends on the C++ library that MuJoCo was built with. Where flat faces
touch, the first polygon that fits decides about the contacts, so another build would have others in the same state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FORMAT = "robot-eval-polygons/1"


def polygons_of(model: Any) -> dict[str, Any] | None:
    """None for a model without meshes that have contacts."""
    if not getattr(model, "nmeshpoly", 0):
        return None
    return {"format": FORMAT, "meshes": [_mesh(model, mesh) for mesh in range(model.nmesh)]}


def _mesh(model: Any, mesh: int) -> dict[str, Any]:
    start = int(model.mesh_polyadr[mesh])
    polygons = range(start, start + int(model.mesh_polynum[mesh]))
    corners = [(int(model.mesh_polyvertadr[polygon]), int(model.mesh_polyvertnum[polygon])) for polygon in polygons]
    normals = [model.mesh_polynormal[polygon] for polygon in polygons]
    return {
        "vertices": [model.mesh_polyvert[first : first + count].tolist() for first, count in corners],
        # JSON has no numbers that are not finite, which degenerate polygons of MuJoCo 3.3 have.
        "normals": [[float(value) if np.isfinite(value) else None for value in normal] for normal in normals],
    }
