import type { Vec3 } from "../../core/math/vec3.js";
import { trianglesNear } from "./free-surface/clip.js";
import { freeSurfaces, type LevelSurface } from "./free-surface/free-surface.js";
import { worldPositions } from "./geometry.js";
import type { SceneModel } from "./model.js";

/** A piece of furniture on which objects can be put. */
export interface Receptacle {
  /** The name of its `SceneInstance`: `table_2`. */
  readonly name: string;
  /** `table`, `counter`, ...: one of `RECEPTACLE_CATEGORIES`. */
  readonly category: string;
  /** Name of its room, if known. */
  readonly room: string | undefined;
  /** The largest first; never empty. */
  readonly surfaces: readonly ReceptacleSurface[];
}

/** A level rectangle that is free of other things. Axes of the scene: y up. */
export interface ReceptacleSurface {
  /** Middle of its upper side. */
  readonly centre: Vec3;
  /** Rotation about +y of its sides. */
  readonly yawRad: number;
  readonly sizeM: readonly [x: number, z: number];
  /** Free height above it; Infinity if nothing is within 1 m. */
  readonly clearanceM: number;
}

/** Furniture that people put things on. OVMM's list (arXiv 2306.11565, appendix) has these and others. */
const RECEPTACLE_CATEGORIES: readonly string[] = [
  "table",
  "counter",
  "desk",
  "shelf",
  "bed",
  "couch",
  "nightstand",
  "cabinet",
  "chest_of_drawers",
  "washing_machine",
  "stool",
];

/** What Stretch's arm reaches, above the floor of the room. */
const HEIGHTS_M = [0.3, 1.1] as const;

/**
 * The receptacles of a scene, in the order of its instances. Surfaces are measured from the triangles: what faces up,
 * minus what stands on it or is closed off, such as the inside of a cabinet or the space behind a row of books.
 *
 * @example
 * receptaclesOf(generateApartment(7)).map(({ name, surfaces }) => [name, surfaces[0]?.sizeM]);
 */
export function receptaclesOf(model: SceneModel): readonly Receptacle[] {
  const own = new Map<number, Float32Array[]>();
  const all: Float32Array[] = [];
  for (const part of model.parts) {
    if (part.solid === false) continue;
    const corners = cornersOf(worldPositions(part), part.mesh.indices);
    all.push(corners);
    own.set(part.instance, [...(own.get(part.instance) ?? []), corners]);
  }
  return model.instances.flatMap(({ name, category, room, min, max }, i): Receptacle[] => {
    if (i === 0 || !RECEPTACLE_CATEGORIES.includes(category)) return [];
    const floorM = model.rooms.find((one) => one.name === room)?.floorM ?? 0;
    const surfaces = freeSurfaces({
      own: own.get(i) ?? [],
      around: trianglesNear(all, min, max),
      heightsM: [floorM + HEIGHTS_M[0], floorM + HEIGHTS_M[1]],
    });
    if (surfaces.length === 0) return [];
    return [{ name, category, room, surfaces: surfaces.map(surfaceOf) }];
  });
}

function surfaceOf({ x, y, z, ...rest }: LevelSurface): ReceptacleSurface {
  return { centre: [x, y, z], ...rest };
}

/** Nine numbers per triangle. */
function cornersOf(positions: Float32Array, indices: Uint32Array): Float32Array {
  const corners = new Float32Array(indices.length * 3);
  for (let i = 0; i < indices.length; i++) {
    const at = 3 * (indices[i] as number);
    corners.set(positions.subarray(at, at + 3), 3 * i);
  }
  return corners;
}
