import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { BaseEpisode } from "../../core/episode/base.js";
import { bearing, headingToQuatXyzw } from "../../core/math/rotation.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { objectNavFormat } from "../formats/objectnav.js";
import type { Drops } from "./drops.js";
import { checkJsonName, infoOf, NavigationChecker, startEntryOf, writePacked } from "./habitat.js";
import type { ConvertTarget } from "./target.js";

const NO_PLACE = "ObjectNav files have no place for it";
const GOAL_FIELDS = ["object_category", "position", "positions", "view_points", "radius"];

/** Of `goals.objects`, which is as long as `goals.positions`. */
interface ObjectName {
  readonly object_id: number;
  readonly object_name: string;
  /** How many of `goals.view_points`, which are listed object by object, are this one's. */
  readonly view_points: number;
}

/**
 * Habitat's ObjectNav, all scenes in one file, which its loader reads as well as an index with `content/`.
 * The episodes of a scene and category share their goals, under a key of the scene's file name and the
 * category: two scenes of one file name do not go together.
 */
export const objectNavTarget: ConvertTarget = {
  name: objectNavFormat.name,
  description: "Habitat ObjectNav episodes of all scenes in one file",
  kind: "file",

  checkOut: (out) => checkJsonName(out, "an ObjectNav"),

  paths: (out) => [out],

  async write(episodes, folder, { out, drops, note }) {
    const table = new GoalTable(out);
    const lines: string[] = [];
    for await (const episode of episodes) {
      table.add(episode);
      lines.push(JSON.stringify(entryOf(episode, drops)));
    }
    if (table.renumbered) {
      note("objects are numbered anew: episodes have their places, not the ids in the scene");
    }
    const ids = JSON.stringify(table.categoryIds());
    const text = [
      `{"goals_by_category": {\n${table.lines().join(",\n")}\n},`,
      `"episodes": [\n${lines.join(",\n")}\n],`,
      // Habitat's loader asserts that both are there and have the same categories.
      `"category_to_task_category_id": ${ids},`,
      `"category_to_scene_annotation_category_id": ${ids}}\n`,
    ];
    await writePacked(join(folder, basename(out)), text.join("\n"));
  },
};

/** The goals of a file, each once. */
class GoalTable {
  readonly #goals = new Map<string, BaseEpisode>();
  readonly #categories = new Set<string>();
  readonly #checker: NavigationChecker;
  renumbered = false;

  constructor(out: string) {
    const layout = "ObjectNav file";
    this.#checker = new NavigationChecker("objectnav", layout, "navigation to objects", out);
  }

  add(episode: BaseEpisode): void {
    const { goals, sceneId } = episode;
    this.#checker.check(episode, lackingIn(episode));
    const category = String(goals.object_category);
    const key = `${sceneId.slice(sceneId.lastIndexOf("/") + 1)}_${category}`;
    const first = this.#goals.get(key);
    this.#categories.add(category);
    if (!first) {
      this.#goals.set(key, episode);
      this.renumbered ||= namesOf(goals) === undefined;
    } else if (first.sceneId !== sceneId) {
      throw this.#checker.refusal(
        episode,
        `is in ${sceneId}, and episode ${first.episodeId} in ${first.sceneId}: an ObjectNav file knows scenes by their last name alone`,
        "convert the scenes one by one",
      );
    } else if (!sameGoals(first.goals, goals)) {
      throw this.#checker.refusal(
        episode,
        `has other goals than episode ${first.episodeId}, and an ObjectNav file has one list of them per scene and category`,
        "native holds such episodes",
      );
    }
  }

  /** Numbers by the order of the names, so that they do not depend on the order of the episodes. */
  categoryIds(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#categories].sort().map((name, i) => [name, i]));
  }

  lines(): string[] {
    return [...this.#goals].map(([key, { goals }]) => {
      return `${JSON.stringify(key)}: [\n${objectsOf(goals).map(lineOf).join(",\n")}\n]`;
    });
  }
}

function lackingIn({ goals }: BaseEpisode): string | undefined {
  if (typeof goals.object_category !== "string") return "goals.object_category";
  if (goals.positions?.length || goals.position) return undefined;
  return "goals.positions";
}

function sameGoals(a: BaseEpisode["goals"], b: BaseEpisode["goals"]): boolean {
  // What a loader gives the episodes of one category is one list; comparing it would take long.
  if (a.view_points === b.view_points && a.positions === b.positions) return true;
  return isDeepStrictEqual(a, b);
}

interface GoalObject {
  readonly position: Vec3;
  readonly radius: number | null;
  readonly object_id: number;
  readonly object_name: string;
  readonly object_category: string;
  readonly viewPoints: readonly Vec3[];
}

function objectsOf(goals: BaseEpisode["goals"]): GoalObject[] {
  const positions = goals.positions?.length ? goals.positions : [goals.position as Vec3];
  const category = String(goals.object_category);
  const names = namesOf(goals);
  const viewPoints = goals.view_points ?? [];
  const shares = names ? inTurn(viewPoints, names) : byNearest(viewPoints, positions);
  return positions.map((position, i) => ({
    position,
    radius: goals.radius ?? null,
    object_id: names?.[i]?.object_id ?? i,
    object_name: names?.[i]?.object_name ?? `${category}_${i}`,
    object_category: category,
    viewPoints: shares[i] ?? [],
  }));
}

/** The objects' own names, where the episode brings them and they fit. */
function namesOf({
  objects,
  positions,
  view_points,
}: BaseEpisode["goals"]): readonly ObjectName[] | undefined {
  if (!Array.isArray(objects) || objects.length !== positions?.length) return undefined;
  if (!objects.every(isObjectName)) return undefined;
  const total = objects.reduce((sum, object) => sum + object.view_points, 0);
  return total === (view_points?.length ?? 0) ? objects : undefined;
}

function isObjectName(value: Partial<ObjectName> | null | undefined): value is ObjectName {
  return (
    typeof value?.object_id === "number" &&
    typeof value.object_name === "string" &&
    typeof value.view_points === "number"
  );
}

function inTurn(viewPoints: readonly Vec3[], names: readonly ObjectName[]): (readonly Vec3[])[] {
  let from = 0;
  return names.map(({ view_points: count }) => {
    from += count;
    return viewPoints.slice(from - count, from);
  });
}

/** Success is judged at any object's view points alike, so a wrong guess changes nothing. */
function byNearest(viewPoints: readonly Vec3[], positions: readonly Vec3[]): Vec3[][] {
  const shares: Vec3[][] = positions.map(() => []);
  for (const point of viewPoints) {
    let best = 0;
    for (let i = 1; i < positions.length; i++) {
      const [a, b] = [positions[i], positions[best]];
      if (a && b && distance3(point, a) < distance3(point, b)) best = i;
    }
    shares[best]?.push(point);
  }
  return shares;
}

/** View points a line, of which most of the file is made. */
function lineOf({ viewPoints, ...object }: GoalObject): string {
  const head = JSON.stringify({
    ...object,
    object_name_id: null,
    room_id: null,
    room_name: null,
    view_points: [],
  });
  const points = viewPoints.map((position) => {
    const agent_state = { position, rotation: facing(position, object.position) };
    // Habitat's loader wants the key; only tools that choose the best view read the value.
    return JSON.stringify({ agent_state, iou: null });
  });
  return `${head.slice(0, -"]}".length)}${points.join(",\n")}]}`;
}

/** To five degrees, a third of the least turn: finer ones would be half of the packed file. */
const FACING_RAD = (5 * Math.PI) / 180;

function facing(from: Vec3, to: Vec3): readonly number[] {
  const round = (value: number) => Math.round(value * 1000) / 1000 + 0;
  const headingRad = Math.round(bearing(from, to) / FACING_RAD) * FACING_RAD;
  return headingToQuatXyzw(headingRad).map(round);
}

function entryOf(episode: BaseEpisode, drops: Drops): Readonly<Record<string, unknown>> {
  const { goals } = episode;
  const keys = ["geodesic_distance", "euclidean_distance", "closest_goal_object_id"];
  const info = infoOf(episode, ...keys);
  if (episode.taskType !== "objectnav") {
    drops.add("task_type", "an ObjectNav file's episodes are objectnav");
  }
  const names = namesOf(goals) ? ["objects"] : [];
  return {
    ...startEntryOf(episode, { info, goals: [...GOAL_FIELDS, ...names], why: NO_PLACE }, drops),
    goals: [],
    shortest_paths: null,
    object_category: goals.object_category,
  };
}
