import type { BaseEpisode } from "../../../core/episode/base.js";
import type { MjcfElement } from "../../../core/mjcf/element.js";
import { fragmentOf, type RobotDescriptor } from "../../../robots/descriptor.js";
import type { ApartmentWorld } from "../apartment/apartment-world.js";
import { FLOOR } from "../apartment/fragment.js";
import { drawerReachM } from "../fixtures/drawer.js";
import { MIN_FRONT_HEIGHT_M } from "../fixtures/handle.js";
import { fixtureNames } from "../fixtures/names.js";
import { footprintOf, overlapM, overTable } from "./overlap.js";
import { episodeError } from "./task-config.js";
import type { FixtureSpec, ObjectSpec, TableSpec, WorldDocuments } from "./world.js";

/** Overlap that rounding and settling may cause. */
const TOLERANCE_M = 1e-3;
/** Beyond this angle a door would hit the side of its cabinet. */
const MAX_DOOR_RAD = 3;

export function checkTable(episode: BaseEpisode, { position, sizeM }: TableSpec): void {
  if (position[2] > sizeM[2]) return;
  throw episodeError(
    episode,
    "task_config.table.position",
    `the table's top ends at ${position[2]} m and is ${sizeM[2]} m thick, so it reaches into the floor`,
    `set z above ${sizeM[2]}`,
  );
}

/** What the objects are placed in. */
interface ObjectSurroundings {
  readonly table: TableSpec | undefined;
  readonly documents?: WorldDocuments;
  readonly apartment?: ApartmentWorld | undefined;
}

/** Checks that names are unique, and that objects do not overlap the table, the ground or each other. */
export function checkObjects(
  episode: BaseEpisode,
  objects: readonly ObjectSpec[],
  fixtures: readonly FixtureSpec[],
  robot: RobotDescriptor,
  { table, documents: { scene, robot: robotFile } = {}, apartment }: ObjectSurroundings,
): void {
  const taken = new Map<string, string>([
    ["world", "the world"],
    ...(apartment
      ? [FLOOR, ...apartment.model.instances.map(({ name }) => name)].map(
          (name) => [name, "the apartment"] as const,
        )
      : ([
          ["table", "the table"],
          ["walls", "the walls"],
        ] as const)),
    ...bodies(fragmentOf(robot)?.worldbody ?? []).map((name) => [name, "the robot"] as const),
    ...(robotFile?.names("body") ?? []).map((name) => [name, "the robot"] as const),
    ...(scene?.names("body") ?? []).map((name) => [name, scene?.path ?? ""] as const),
  ]);
  const take = (name: string, field: string, names: readonly string[]) => {
    const owner = names.map((one) => taken.get(one)).find((one) => one !== undefined);
    if (owner !== undefined) {
      throw episodeError(
        episode,
        `${field}.name`,
        `the name "${name}" is already used by ${owner}`,
      );
    }
    for (const one of names) taken.set(one, field);
  };
  for (const [i, { name, inScene, furniture }] of fixtures.entries()) {
    if (inScene) continue;
    const { body, moving } = fixtureNames(name);
    const field = furniture === undefined ? `task_config.fixtures.${i}` : "task_config.drawers";
    take(name, field, [body, moving]);
  }
  for (const [i, { name, centreInBody }] of objects.entries()) {
    if (!centreInBody) take(name, `task_config.scene_objects.${i}`, [name]);
  }
  const spaces = objects.map(footprintOf);
  for (const [i, object] of objects.entries()) {
    // Bounding boxes of a file's bodies may overlap, such as a lid and its pot.
    if (object.centreInBody) continue;
    const field = `task_config.scene_objects.${i}.position`;
    const space = spaces[i] ?? footprintOf(object);
    const over = table && overTable(table, [object.position[0], object.position[1]]);
    const ground = over ? table.position[2] : 0;
    if (space.low < ground - TOLERANCE_M && (over || !scene)) {
      throw episodeError(
        episode,
        field,
        `the lowest point of "${object.name}" is at ${metres(space.low)}, below ${over ? "the table's top" : "the floor"} at ${metres(ground)}`,
        `position is the object's centre: use z = ${metres(object.position[2] + ground - space.low)} to stand it there, or omit z`,
      );
    }
    for (const [j, other] of objects.slice(0, i).entries()) {
      if (other.centreInBody) continue;
      const depth = overlapM(space, spaces[j] ?? footprintOf(other));
      if (depth <= TOLERANCE_M) continue;
      throw episodeError(
        episode,
        field,
        `"${object.name}" is ${metres(depth)} inside "${other.name}"`,
        "move one of them",
      );
    }
  }
}

export function checkFixture(episode: BaseEpisode, spec: FixtureSpec, index: number): void {
  const field = `task_config.fixtures.${index}`;
  const [depth, , height] = spec.sizeM;
  const reach = spec.kind === "drawer" ? drawerReachM(depth) : MAX_DOOR_RAD;
  if (spec.range > reach) {
    throw episodeError(
      episode,
      `${field}.range`,
      spec.kind === "drawer"
        ? `a drawer ${depth} m deep opens by at most ${metres(reach)}, got ${spec.range}`
        : `a door opens by at most ${reach} rad, got ${spec.range}`,
    );
  }
  if (height < MIN_FRONT_HEIGHT_M) {
    throw episodeError(
      episode,
      `${field}.size`,
      `a front ${height} m high is too low for its handle`,
      `make it ${metres(MIN_FRONT_HEIGHT_M)} or higher`,
    );
  }
  const low = spec.position[2] - height / 2;
  if (low < -TOLERANCE_M) {
    throw episodeError(
      episode,
      `${field}.position`,
      `the lower edge of "${spec.name}" is at ${metres(low)}, below the floor`,
      "position is the centre of the closed front",
    );
  }
}

function bodies(elements: readonly MjcfElement[]): string[] {
  return elements.flatMap(({ tag, attributes, children }) => [
    ...(tag === "body" && typeof attributes.name === "string" ? [attributes.name] : []),
    ...bodies(children),
  ]);
}

function metres(x: number): string {
  return `${Math.round(x * 1e4) / 1e4} m`;
}
