import type { Vec3 } from "../../../../core/math/vec3.js";
import { fromMatterport } from "../../../../core/math/vec3.js";
import { snakeCase } from "../../category-of-name.js";
import { pointBounds } from "../../geometry.js";
import type { SceneRoom } from "../../model.js";
import { badDescriptor, type Descriptor, type SemanticObject } from "./annotations.js";

/**
 * The letters for kinds of rooms in `.house` files. From Matterport3D's documentation of the format; rooms
 * that generated apartments have as well are named as there.
 */
const KINDS: Readonly<Record<string, string>> = {
  a: "bathroom",
  b: "bedroom",
  c: "closet",
  d: "dining_room",
  e: "entryway",
  f: "family_room",
  g: "garage",
  h: "corridor",
  i: "library",
  j: "laundry",
  k: "kitchen",
  l: "living_room",
  m: "meeting_room",
  n: "lounge",
  o: "office",
  p: "porch",
  r: "recreation",
  s: "stairs",
  t: "toilet",
  u: "utility_room",
  v: "tv_room",
  w: "gym",
  x: "outdoor",
  y: "balcony",
  z: "other_room",
  B: "bar",
  C: "classroom",
  D: "dining_booth",
  S: "spa",
  Z: "junk",
};

interface Region {
  readonly name: string;
  readonly kind: string;
  /** Corners of its bounding box in Habitat's axes. */
  readonly box: readonly [Vec3, Vec3];
  readonly outline: [number, number][];
}

/**
 * Parses Matterport3D's `.house`: one element per line, its letter first. Objects (O) have a category (C) and
 * lie in a region (R); the outline of a region is that of its surfaces (S), whose corners are vertices (V).
 */
export function parseHouse(text: string, file: string): Descriptor {
  const categories = new Map<number, string>();
  const regions = new Map<number, Region>();
  const surfaces = new Map<number, number>();
  const objects = new Map<number, SemanticObject>();
  const counts = new Map<string, number>();
  let declared: Readonly<Record<string, number>> = {};

  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().split(/\s+/);
    const letter = words[0] ?? "";
    if (i === 0 || letter === "") continue;
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const number = (at: number): number => {
      const value = words[at] === undefined ? Number.NaN : Number(words[at]);
      if (Number.isFinite(value)) return value;
      const found = words.length <= at ? `it ends after ${words.length}` : `received ${words[at]}`;
      throw badDescriptor(
        `${file}:${i + 1}`,
        `field ${at + 1} of \`${letter}\` is not a number: ${found}`,
      );
    };
    const point = (at: number): Vec3 => fromMatterport(number(at), number(at + 1), number(at + 2));
    if (letter === "H") {
      declared = { O: number(8), C: number(9), R: number(10), L: number(12) };
    } else if (letter === "C") {
      // The mpcat40 name is Habitat's; unknown ones have the annotators' word with # for spaces.
      const own = (words[3] ?? "").replaceAll("#", " ");
      categories.set(number(1), words[5] ?? own);
    } else if (letter === "R") {
      const kind = KINDS[words[5] ?? ""] ?? "other_room";
      const same = [...regions.values()].filter((region) => region.kind === kind).length;
      const box = [point(9), point(12)] as const;
      regions.set(number(1), { kind, name: `${kind}_${same + 1}`, box, outline: [] });
    } else if (letter === "S") {
      surfaces.set(number(1), number(2));
    } else if (letter === "V") {
      const [x, , z] = point(4);
      regions.get(surfaces.get(number(2)) ?? -1)?.outline.push([x, z]);
    } else if (letter === "O") {
      const room = regions.get(number(2))?.name;
      const label = categories.get(number(3)) ?? "unknown";
      const corners = boxCorners(point(4), point(7), point(10), [
        number(13),
        number(14),
        number(15),
      ]);
      const bounds = pointBounds([Float32Array.from(corners)]);
      objects.set(number(1), {
        label: snakeCase(label),
        bounds,
        ...(room !== undefined && { room }),
      });
    }
  }
  for (const [letter, count] of Object.entries(declared)) {
    const found = counts.get(letter) ?? 0;
    if (found < count) {
      throw badDescriptor(
        file,
        `its header declares ${count} lines \`${letter}\`, but it has ${found}: the file is truncated`,
      );
    }
  }
  return { objects, rooms: [...regions.values()].map(roomOf) };
}

function roomOf({ name, kind, box: [a, b], outline }: Region): SceneRoom {
  const rectangle = [
    [a[0], a[2]],
    [b[0], a[2]],
    [b[0], b[2]],
    [a[0], b[2]],
  ] as const;
  return {
    name,
    kind,
    floorM: Math.min(a[1], b[1]),
    outline: outline.length >= 3 ? outline : rectangle,
  };
}

/** The corners of an oriented box as x, y, z, ...: its centre, two axes and its half sizes. */
function boxCorners(centre: Vec3, a: Vec3, b: Vec3, [ra, rb, rc]: Vec3): number[] {
  const c: Vec3 = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return Array.from({ length: 8 }, (_, i) => {
    const [sa, sb, sc] = [i & 1 ? ra : -ra, i & 2 ? rb : -rb, i & 4 ? rc : -rc];
    return [0, 1, 2].map((k) => centre[k as 0] + sa * a[k as 0] + sb * b[k as 0] + sc * c[k as 0]);
  }).flat();
}
