import { cross, dot, type Vec3 } from "../../../core/math/vec3.js";
import type { SceneModel, SceneRoom } from "../model.js";
import { bandsOf } from "./bands.js";
import { type Component, componentsOf, isConvex } from "./components.js";
import { boxBehind, type Patch, patchesOf, prismBehind, rectanglesOf } from "./patches.js";
import { boxAround, cornersOf, isInBox, type Solid } from "./solid.js";

export type { Solid } from "./solid.js";

/** Index of the instance that is the building itself. */
const BUILDING = 0;
/** How far a component may be from convex to be used as its hull. */
const CONVEX_M = 2e-3;
/** How far corners may be from those of a box. */
const BOX_M = 1e-4;

/** Depth of windows behind the faces of walls; the facade is deeper. */
const WALL_M = 0.15;
/** Robots and what they hold stay below. */
const HIGHEST_M = 1.8;

/**
 * Convex solids for contacts, by instance, from the triangles that cameras see. A box becomes a box, another convex
 * component its hull, a wall the boxes behind its visible side, and a vase a stack of hulls.
 */
export function solidsOf(
  model: Pick<SceneModel, "parts" | "instances" | "rooms">,
): readonly Solid[][] {
  const components = model.instances.map((): Component[] => []);
  for (const part of model.parts) {
    if (part.solid !== false) components[part.instance]?.push(...componentsOf(part));
  }
  return components.map((own, instance) =>
    withoutInner(
      own
        .flatMap((component) => solidsOfComponent(component, instance === BUILDING))
        .filter((solid) => isInside(solid, model.rooms)),
    ),
  );
}

/** Whether a part of a solid is in a room or its walls, and not too high for a robot. The facade is outside. */
function isInside(solid: Solid, rooms: readonly SceneRoom[]): boolean {
  const corners = cornersOf(solid);
  const [x0, x1] = range(corners.map(([x]) => x));
  const [y0] = range(corners.map(([, y]) => y));
  const [z0, z1] = range(corners.map(([, , z]) => z));
  return rooms.some(({ outline, floorM }) => {
    const [left, right] = range(outline.map(([x]) => x));
    const [near, far] = range(outline.map(([, z]) => z));
    return (
      x0 < right + WALL_M &&
      x1 > left - WALL_M &&
      z0 < far + WALL_M &&
      z1 > near - WALL_M &&
      y0 < floorM + HIGHEST_M
    );
  });
}

function range(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** The facade is convex, but its hull would fill the rooms. */
function solidsOfComponent(component: Component, isBuilding: boolean): readonly Solid[] {
  const patches = patchesOf(component);
  if (isBuilding) return patches.flatMap((patch) => solidsBehind(patch, patches));
  const [only] = patches;
  if (only && patches.every(({ normal }) => Math.abs(dot(normal, only.normal)) > 1 - 1e-6)) {
    return patches.flatMap((patch) => solidsBehind(patch, patches));
  }
  if (isConvex(component, CONVEX_M)) return [boxOf(component, patches) ?? hullOf(component)];
  const rectangles = patches.map((patch) => ({ patch, all: rectanglesOf(patch) }));
  if (rectangles.every(({ all }) => all)) {
    return rectangles.flatMap(({ patch, all }) =>
      (all ?? []).map((one) => boxBehind(one, patch, patches)),
    );
  }
  return bandsOf(component);
}

function solidsBehind(patch: Patch, patches: readonly Patch[]): readonly Solid[] {
  const rectangles = rectanglesOf(patch);
  return rectangles
    ? rectangles.map((one) => boxBehind(one, patch, patches))
    : [prismBehind(patch, patches)];
}

function hullOf({ points }: Component): Solid {
  return { kind: "hull", points };
}

/** The box that a convex component is; undefined if it is none. Faces may be missing. */
function boxOf({ points }: Component, patches: readonly Patch[]): Solid | undefined {
  if (points.length !== 8) return undefined;
  const [a, b] = perpendicular(patches.map(({ normal }) => normal));
  if (!a || !b) return undefined;
  const box = boxAround(points, [a, b, cross(a, b)]);
  const isCorner = (point: Vec3) =>
    box.axes.every((axis, i) => {
      const off = Math.abs(dot(axis, point) - dot(axis, box.centre));
      return Math.abs(off - (box.halfM[i] ?? 0)) < BOX_M;
    });
  return points.every(isCorner) ? box : undefined;
}

function perpendicular([first, ...others]: readonly Vec3[]): readonly (Vec3 | undefined)[] {
  return [first, others.find((other) => first && Math.abs(dot(first, other)) < 1e-4)];
}

/** Leaves out solids inside a box of the same object, such as the backs of drawer fronts. */
function withoutInner(solids: readonly Solid[]): Solid[] {
  const boxes = solids.filter((solid) => solid.kind === "box");
  return solids.filter((solid, i) => {
    const corners = cornersOf(solid);
    return !boxes.some((box) => {
      if (box === solid || !corners.every((point) => isInBox(box, point, BOX_M))) return false;
      // Of two equal boxes, the first stays.
      const isEqual = solid.kind === "box" && cornersOf(box).every((p) => isInBox(solid, p, BOX_M));
      return !isEqual || solids.indexOf(box) < i;
    });
  });
}
