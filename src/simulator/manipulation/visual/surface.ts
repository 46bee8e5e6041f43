import type { Material, ScenePart, Texture, TriangleMesh } from "../../scenes/model.js";
import type { LookSpec } from "../world/world.js";
import type { PhysicsGeom } from "./geom.js";
import { primitive, type Repeat } from "./primitives.js";

/** A checkerboard of two by two squares. */
const CHECKER: Texture = {
  width: 2,
  height: 2,
  data: Uint8Array.from([255, 222, 222, 255].flatMap((v) => [v, v, v, 255])),
};

/** Default side of a plane's squares; a plane's third size (grid spacing) overrides it. */
const SQUARE_M = 0.5;
const MIN_SQUARE_M = 0.1;

/** The triangles of a geom; undefined if its type cannot be drawn. */
export function meshOfGeom(geom: PhysicsGeom): TriangleMesh | undefined {
  return geom.mesh ?? primitive(geom.type, geom.size, repeatOf(geom));
}

/**
 * A geom's material under the scene's light. The renderer's lights are fixed, so intensity and colour of the light are
 * factors on the geom's colour.
 */
export function materialOfGeom(
  geom: PhysicsGeom,
  { intensity, color }: LookSpec["light"],
): Material {
  const [r, g, b, a] = geom.rgba;
  const texture = geom.texture ?? (geom.type === "plane" ? CHECKER : undefined);
  return {
    name: geom.name || geom.bodyName,
    color: [r * intensity * color[0], g * intensity * color[1], b * intensity * color[2], a],
    ...(texture ? { texture } : {}),
  };
}

/** A part of a scene under another light. */
export function underLight(part: ScenePart, { intensity, color }: LookSpec["light"]): ScenePart {
  if (intensity === 1 && color.every((value) => value === 1)) return part;
  const [r, g, b, a] = part.material.color;
  const lit = [
    r * intensity * color[0],
    g * intensity * color[1],
    b * intensity * color[2],
    a,
  ] as const;
  return { ...part, material: { ...part.material, color: lit } };
}

function repeatOf({ type, size, texture, textureRepeat, textureUniform }: PhysicsGeom): Repeat {
  if (type === "plane" && !texture) {
    const square = size[2] >= MIN_SQUARE_M ? size[2] : SQUARE_M;
    return { u: 1 / (2 * square), v: 1 / (2 * square), uniform: true };
  }
  const [u, v] = textureRepeat ?? [1, 1];
  return { u, v, uniform: textureUniform ?? false };
}
