import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { BaseEpisode } from "../../core/episode/base.js";
import { bearing, headingToQuatXyzw } from "../../core/math/rotation.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { objectNavFormat } from "../formats/objectnav.js";
import type { Drops } from "./drops.js";
import { checkJsonName, infoOf, NavigationChecker, startEntryOf, writePacked } from "./habitat.js";
import type { ConvertTarget } from "./target.js";

const NOT_STORED = "ObjectNav files cannot store it";
const GOAL_FIELDS = ["object_category", "position", "positions", "view_points", "radius"];

/** One entry of `goals.objects`, which is parallel to `goals.positions`. */
interface ObjectName {
  readonly object_id: number;
  readonly object_name: string;
  /** The number of entries in `goals.view_points` that belong to this object; they are grouped by object. */
  readonly view_points: number;
}

/**
 * Habitat's ObjectNav format, with all scenes in one file; Habitat's loader accepts that as well as an
 * index with `content/`. Episodes of the same scene and category share goals under a key of the scene's
 * file name and the category, so two scenes with the same file name cannot be combined.
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
      note(
        "object ids are renumbered: episodes have the objects' positions, not their ids in the scene",
      );
    }
    const ids = JSON.stringify(table.categoryIds());
    const text = [
      `{"goals_by_category": {\n${table.lines().join(",\n")}\n},`,
      `"episodes": [\n${lines.join(",\n")}\n],`,
      // Habitat's loader asserts that both maps exist and have the same categories.
      `"category_to_task_category_id": ${ids},`,
      `"category_to_scene_annotation_category_id": ${ids}}\n`,
    ];
    await writePacked(join(folder, basename(out)), text.join("\n"));
  },
};

/** The goals of a file, each stored once. */
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
      throw this.#checker.notConvertible(
        episode,
        `is in ${sceneId}, but episode ${first.episodeId} is in ${first.sceneId}: an ObjectNav file identifies scenes by file name alone`,
        "convert each scene separately",
      );
    } else if (!sameGoals(first.goals, goals)) {
      throw this.#checker.notConvertible(
        episode,
        `has other goals than episode ${first.episodeId}, but an ObjectNav file has one list of goals per scene and category`,
        "convert such episodes to native",
      );
    }
  }

  /** Numbers categories in alphabetical order, so that the ids do not depend on the order of the episodes. */
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
  // Episodes of one category usually share these lists, so identity avoids a slow comparison.
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

/** Returns the objects' names if the episode has them and their counts match. */
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

/**
 * Assigns view points to the nearest object. Success counts at any object's view points, so a wrong
 * assignment does not change it.
 */
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

/** Writes one view point per line; they make up most of the file. */
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
    // Habitat's loader requires the key; only tools that choose the best view read the value.
    return JSON.stringify({ agent_state, iou: null });
  });
  return `${head.slice(0, -"]}".length)}${points.join(",\n")}]}`;
}

/** Rounded to five degrees, a third of the smallest turn; finer angles would double the gzipped size. */
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
    drops.add("task_type", "all episodes of an ObjectNav file are objectnav");
  }
  const names = namesOf(goals) ? ["objects"] : [];
  return {
    ...startEntryOf(episode, { info, goals: [...GOAL_FIELDS, ...names], why: NOT_STORED }, drops),
    goals: [],
    shortest_paths: null,
    object_category: goals.object_category,
  };
}
