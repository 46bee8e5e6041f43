import type { BaseEpisode } from "../../../core/episode/base.js";
import type { MjcfElement } from "../../../core/mjcf/element.js";
import { fragmentOf, type RobotDescriptor } from "../../../robots/descriptor.js";
import { drawerReachM } from "../fixtures/drawer.js";
import { MIN_FRONT_HEIGHT_M } from "../fixtures/handle.js";
import { fixtureNames } from "../fixtures/names.js";
import { overlapM, overTable, spaceOf } from "./overlap.js";
import { badWorld } from "./task-config.js";
import type { FixtureSpec, ObjectSpec, TableSpec, WorldDocuments } from "./world.js";

/** What rounding and a thing's settling may come to. */
const TOLERANCE_M = 1e-3;
/** Beyond it a door would hit its own cabinet's side. */
const MAX_DOOR_RAD = 3;

export function checkTable(episode: BaseEpisode, { position, sizeM }: TableSpec): void {
  const field = "task_config.table.position";
  if (position[2] > sizeM[2]) return;
  throw badWorld(
    episode,
    field,
    `the top's upper side is at ${position[2]} m, and the top ${sizeM[2]} m thick: it would be in the floor`,
  );
}

/** Names are unique, and objects stand free of the table, the ground and each other. */
export function checkObjects(
  episode: BaseEpisode,
  objects: readonly ObjectSpec[],
  fixtures: readonly FixtureSpec[],
  robot: RobotDescriptor,
  table: TableSpec | undefined,
  { scene, robot: robotFile }: WorldDocuments = {},
): void {
  const taken = new Map<string, string>([
    ["world", "the world"],
    ["table", "the table"],
    ["walls", "the walls"],
    ...bodies(fragmentOf(robot)?.worldbody ?? []).map((name) => [name, "the robot"] as const),
    ...(robotFile?.names("body") ?? []).map((name) => [name, "the robot"] as const),
    ...(scene?.names("body") ?? []).map((name) => [name, scene?.path ?? ""] as const),
  ]);
  const take = (name: string, field: string, names: readonly string[]) => {
    const owner = names.map((one) => taken.get(one)).find((one) => one !== undefined);
    if (owner !== undefined) {
      throw badWorld(episode, `${field}.name`, `the name "${name}" is taken by ${owner}`);
    }
    for (const one of names) taken.set(one, field);
  };
  for (const [i, { name, inScene }] of fixtures.entries()) {
    if (inScene) continue;
    const { body, moving } = fixtureNames(name);
    take(name, `task_config.fixtures.${i}`, [body, moving]);
  }
  for (const [i, { name, middleInBody }] of objects.entries()) {
    if (!middleInBody) take(name, `task_config.scene_objects.${i}`, [name]);
  }
  const spaces = objects.map(spaceOf);
  for (const [i, object] of objects.entries()) {
    // A file's things may be in one another as their boxes are: a lid in its pot.
    if (object.middleInBody) continue;
    const field = `task_config.scene_objects.${i}.position`;
    const space = spaces[i] ?? spaceOf(object);
    const over = table && overTable(table, [object.position[0], object.position[1]]);
    const ground = over ? table.position[2] : 0;
    if (space.low < ground - TOLERANCE_M && (over || !scene)) {
      throw badWorld(
        episode,
        field,
        `the lowest point of "${object.name}" is at ${metres(space.low)}, below ${over ? "the table's top" : "the floor"} at ${metres(ground)}`,
        `positions are of the middle: at this place ${metres(object.position[2] + ground - space.low)} stands on it; leave out z to have it worked out`,
      );
    }
    for (const [j, other] of objects.slice(0, i).entries()) {
      if (other.middleInBody) continue;
      const depth = overlapM(space, spaces[j] ?? spaceOf(other));
      if (depth <= TOLERANCE_M) continue;
      throw badWorld(
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
    throw badWorld(
      episode,
      `${field}.range`,
      spec.kind === "drawer"
        ? `a drawer ${depth} m deep opens by ${metres(reach)} at most, got ${spec.range}`
        : `a door opens by ${reach} rad at most, got ${spec.range}`,
    );
  }
  if (height < MIN_FRONT_HEIGHT_M) {
    throw badWorld(
      episode,
      `${field}.size`,
      `a front ${height} m high has no room for its handle`,
      `make it ${metres(MIN_FRONT_HEIGHT_M)} or higher`,
    );
  }
  const low = spec.position[2] - height / 2;
  if (low < -TOLERANCE_M) {
    throw badWorld(
      episode,
      `${field}.position`,
      `the lower edge of "${spec.name}" is at ${metres(low)}, below the floor`,
      "position is the middle of the closed front",
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
