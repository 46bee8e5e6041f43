import { hash53 } from "../../../core/math/hash.js";
import { Random } from "../../../core/math/random.js";
import type { SceneDrawer, SceneModel } from "../model.js";
import type { Piece } from "./furniture/piece.js";
import { drawBoards, drawFinish, drawLook } from "./look.js";
import { InstanceList, MeshBuilder, type Pose } from "./mesh/builder.js";
import type { Placed } from "./placement/room-space.js";
import { RoomSpace } from "./placement/room-space.js";
import { drawPlan } from "./plan/plan.js";
import { furnish } from "./rooms/furnish.js";
import {
  buildCasing,
  buildEntrance,
  buildLeaf,
  buildReveal,
  type Leaf,
  openLeaf,
} from "./shell/doors.js";
import { buildCeiling, buildFloor, buildThreshold } from "./shell/floors.js";
import { facade, openingPose, roomShells } from "./shell/geometry.js";
import type { Shadow } from "./shell/occlusion.js";
import { buildFacade, buildWalls } from "./shell/walls.js";
import { buildWindow } from "./shell/windows.js";

/** Another look of an apartment: colours and materials of rooms and furniture, with the same plan and furniture. */
export interface ApartmentLook {
  /** Share of the rooms that look different; also the probability that the colours of the furniture do. */
  readonly share: number;
  readonly seed: number | string;
}

/**
 * Generates a furnished apartment that depends on the seed alone. Layout, openings, colours and furniture
 * have separate random streams, so that a change to one does not affect the others.
 *
 * @example
 * generateApartment(7).rooms.map(({ name }) => name);
 */
export function generateApartment(seed: number): SceneModel {
  return build(seed, undefined);
}

/** The same apartment with another look. */
export function redecoratedApartment(seed: number, look: ApartmentLook): SceneModel {
  return build(seed, look);
}

/** The same apartment without the drawers of these names, whose places in the furniture are empty. */
export function apartmentWithoutDrawers(
  seed: number,
  drawers: readonly string[],
  look?: ApartmentLook,
): SceneModel {
  return build(seed, look, new Set(drawers));
}

function build(
  seed: number,
  other: ApartmentLook | undefined,
  without: ReadonlySet<string> = new Set(),
): SceneModel {
  const stream = (name: string) => new Random(hash53(`apartment/${seed}/${name}`));
  /** The stream of a part of the look, which another look may replace. */
  const lookStream = (name: string) => {
    const usual = stream(name);
    if (!other) return usual;
    const drawn = new Random(hash53(`apartment/${seed}/${name}/${other.seed}`));
    return drawn.uniform() < other.share ? drawn : usual;
  };
  const plan = drawPlan(seed);
  const shells = roomShells(plan);
  const colours = lookStream("look");
  const look = drawLook(colours);
  const boards = drawBoards(colours, look.paint);
  const finishes = plan.rooms.map((room) =>
    drawFinish(lookStream(`look/${room.name}`), look, room.kind, boards),
  );

  const list = new InstanceList();
  const drawers: SceneDrawer[] = [];
  const building = new MeshBuilder();
  for (const shell of shells) {
    const finish = finishes[shell.index];
    if (finish) buildWalls(building, shell, finish, look, plan.heightM);
  }
  buildFacade(building, facade(plan), look.paint.plain("#d8d0c2"), plan.heightM);
  list.add("wall", undefined, building);

  const swing = stream("leaves");
  const leaves: Leaf[] = [];
  for (const [i, opening] of plan.openings.entries()) {
    const b = new MeshBuilder(openingPose(opening, shells));
    const room = plan.rooms[opening.rooms[0]]?.name;
    const finish = finishes[opening.rooms[0]];
    if (opening.kind === "window") {
      buildReveal(b, look.trim, opening);
      buildWindow(b, look, opening, i);
      list.add("window", room, b);
      continue;
    }
    buildReveal(b, opening.kind === "arch" && finish ? finish.wall : look.trim, opening);
    if (opening.kind !== "arch") buildCasing(b, look.trim, opening);
    if (opening.kind === "entrance") buildEntrance(b, look, opening);
    if (opening.kind === "door" && swing.uniform() < 0.75) {
      const leaf = openLeaf(swing, opening, shells);
      if (leaf) {
        leaves.push(leaf);
        buildLeaf(b, look, leaf.x0, leaf.x1, leaf.z0, leaf.handleX);
      }
    }
    list.add("door", room, b);
  }

  const withKitchen = !plan.rooms.some((room) => room.kind === "kitchen");
  for (const shell of shells) {
    const finish = finishes[shell.index];
    if (!finish) continue;
    const space = new RoomSpace(
      stream(`space/${shell.room.name}`),
      shell,
      leaves.filter((leaf) => leaf.room === shell.index).map((leaf) => leaf.rect),
    );
    furnish(shell.room.kind, {
      random: stream(`furniture/${shell.room.name}`),
      look,
      space,
      heightM: plan.heightM,
      withKitchen,
    });
    const floor = new MeshBuilder();
    buildFloor(floor, shell, finish.floor, shadowsOf(space.placed));
    for (const opening of plan.openings) {
      if (opening.bottomM === 0 && opening.rooms[0] === shell.index) {
        buildThreshold(floor, finish.floor, opening);
      }
    }
    list.add("floor", shell.room.name, floor);
    const ceiling = new MeshBuilder();
    buildCeiling(ceiling, shell, finish.ceiling, plan.heightM);
    list.add("ceiling", shell.room.name, ceiling);
    for (const { piece, pose } of space.placed) {
      const b = new MeshBuilder(pose, pose.at[1] === 0 && !piece.flat ? contact : undefined);
      const own = drawersOf(piece, pose, list.nextName(piece.category));
      const missing = [...own.keys()].filter((i) => without.has(own[i]?.name ?? ""));
      piece.build(b, new Set(missing));
      list.add(piece.category, shell.room.name, b);
      drawers.push(...own);
    }
  }

  return {
    id: `apartment/${seed}`,
    parts: list.parts,
    instances: list.instances,
    rooms: shells.map(({ room, outline }) => ({
      name: room.name,
      kind: room.kind,
      outline: outline.map(([x, z]) => [x, z] as const),
      floorM: 0,
    })),
    doors: plan.openings.flatMap(({ kind, axis, at, from, to, rooms: [a, b] }) => {
      const [p, q] = [plan.rooms[a], plan.rooms[b]];
      if (kind === "window" || !p || !q) return [];
      const middle = (from + to) / 2;
      return [
        {
          rooms: [p.name, q.name] as const,
          position: axis === "x" ? ([middle, 0, at] as const) : ([at, 0, middle] as const),
          widthM: to - from,
        },
      ];
    }),
    drawers,
  };
}

/** The drawers of a placed piece, in the axes of the scene. */
function drawersOf({ drawers = [] }: Piece, pose: Pose, furniture: string): SceneDrawer[] {
  const { at, turnRad } = pose;
  const [c, s] = [Math.cos(turnRad), Math.sin(turnRad)];
  return drawers.map(({ front: [x, y, z], sizeM, material }, i) => ({
    name: `${furniture}_drawer_${i + 1}`,
    furniture,
    front: [at[0] + x * c + z * s, at[1] + y, at[2] - x * s + z * c],
    yawRad: turnRad,
    sizeM,
    material,
  }));
}

/** Darkens objects towards the floor, like contact shadows. */
function contact(_x: number, y: number): number {
  return y >= 0.5 ? 1 : 0.74 + 0.52 * y;
}

function shadowsOf(placed: readonly Placed[]): Shadow[] {
  return placed.flatMap(({ piece: { shadow }, pose, rect }) =>
    pose.at[1] === 0 && shadow !== undefined ? [{ rect, depth: shadow }] : [],
  );
}
