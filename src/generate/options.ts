import { ConfigError, show } from "../core/errors.js";
import { suggestion } from "../core/registry.js";
import {
  OBJECT_SPLITS,
  type ObjectSplit,
} from "../simulator/manipulation/objects/catalogue/splits.js";
import { OBJECT_CATEGORIES } from "../simulator/scenes/categories.js";
import type { SceneShare } from "./generate.js";
import type { Limits } from "./sampler.js";
import type { SceneSet } from "./scenes.js";
import type { Follow } from "./vln.js";

export interface GenerateOptions {
  /** One of `GENERATED_TASKS`. */
  readonly task: string;
  readonly scenes: SceneSet;
  readonly seed: number;
  /** Total number of episodes. */
  readonly count: number;
  /** Episodes per scene; if absent, 5 for drawn scenes and as many as needed for listed ones. */
  readonly perScene?: number | undefined;
  /** Minimum geodesic distance in metres; 5 if absent, and 4 for rearrange. */
  readonly minDistanceM?: number | undefined;
  /** Maximum geodesic distance in metres; 30 if absent, and 12 for rearrange. */
  readonly maxDistanceM?: number | undefined;
  /** Minimum ratio of geodesic to straight distance; 1.05 if absent. */
  readonly minRatio?: number | undefined;
  /** ObjectNav categories; Habitat's six if absent. */
  readonly categories?: readonly string[] | undefined;
  /** Which objects rearrange episodes have: those for training or those for validation. Validation if absent. */
  readonly split?: string | undefined;
  /** Rearrange only: the object starts in an open drawer, or goes into one. */
  readonly drawers?: boolean | undefined;
  /** Follows vln paths for the ground truth: in the simulator if absent, not at all if false. */
  readonly follow?: Follow | false | undefined;
  readonly onScene?: ((share: SceneShare, episodes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const GENERATED_TASKS = ["vln", "objectnav", "image_nav", "rearrange"] as const;
export type GeneratedTask = (typeof GENERATED_TASKS)[number];

/** Checked options with defaults filled in. */
export interface Settings extends Pick<GenerateOptions, "seed" | "follow" | "onScene" | "signal"> {
  readonly task: GeneratedTask;
  readonly kind: SceneSet["kind"];
  readonly sceneIds: Iterable<string>;
  /** Number of episodes of each used scene. */
  readonly shares: readonly number[];
  readonly limits: Limits;
  readonly categories: readonly string[];
  readonly split: ObjectSplit;
  readonly drawers: boolean;
}

const PER_DRAWN_SCENE = 5;

export function checkedOptions(options: GenerateOptions): Settings {
  const { task, scenes, seed, count, perScene } = options;
  // A robot that carries something is slow: 12 m take 1800 control steps.
  const [nearM, farM] = task === "rearrange" ? [4, 12] : [5, 30];
  const { minDistanceM = nearM, maxDistanceM = farM, minRatio = 1.05 } = options;
  const { categories = OBJECT_CATEGORIES } = options;
  const checkWhole = (where: string, value: number, least: number) => {
    const isRight = Number.isSafeInteger(value) && value >= least;
    check(where, value, isRight, `a whole number of at least ${least}`);
  };
  checkWhole("--seed", seed, 0);
  checkWhole("-n", count, 1);
  if (perScene !== undefined) checkWhole("--per-scene", perScene, 1);
  check("--min-distance", minDistanceM, minDistanceM > 0, "metres, more than 0");
  const isBeyond = maxDistanceM > minDistanceM && maxDistanceM < Number.POSITIVE_INFINITY;
  check(
    "--max-distance",
    maxDistanceM,
    isBeyond,
    `metres, more than --min-distance ${minDistanceM}`,
  );
  check("--min-ratio", minRatio, minRatio >= 1 && minRatio < 10, "a ratio, 1 to 10");
  check("--categories", categories, categories.length > 0, "at least one category");
  return {
    ...options,
    task: generatedTask(task),
    kind: scenes.kind,
    sceneIds: scenes.kind === "listed" ? scenes.ids : scenes.ids(seed),
    shares: sharesOf(scenes, count, perScene),
    limits: { minDistanceM, maxDistanceM, minRatio },
    categories,
    split: splitNamed(options.split ?? "val"),
    drawers: options.drawers ?? false,
  };
}

function splitNamed(name: string): ObjectSplit {
  const split = OBJECT_SPLITS.find((known) => known === name);
  if (split !== undefined) return split;
  throw new ConfigError("bad_option", `there are no objects for the split "${name}"`, {
    where: "--split",
    hint: suggestion(name, OBJECT_SPLITS),
  });
}

/** Distributes the episodes over the scenes so that counts differ by at most one. */
function sharesOf(scenes: SceneSet, count: number, perScene: number | undefined): number[] {
  const limit = scenes.kind === "listed" ? scenes.ids.length : Number.POSITIVE_INFINITY;
  if (limit === 0) throw new ConfigError("no_scenes", "no scenes are given", { where: "--scenes" });
  const each = perScene ?? (scenes.kind === "drawn" ? PER_DRAWN_SCENE : undefined);
  const used = each === undefined ? Math.min(limit, count) : Math.ceil(count / each);
  if (used > limit) {
    throw new ConfigError(
      "too_few_scenes",
      `${limit} scenes with ${each} episodes each give fewer than ${count} episodes`,
      { where: "--scenes", hint: "name more scenes, or raise --per-scene" },
    );
  }
  return Array.from({ length: used }, (_, i) => Math.floor((count + i) / used)).reverse();
}

function check(where: string, value: unknown, isRight: boolean, wanted: string): void {
  if (isRight) return;
  throw new ConfigError("bad_option", `expected ${wanted}, got ${show(value)}`, { where });
}

/** Finds a task by name; throws if its episodes cannot be generated. */
export function generatedTask(name: string): GeneratedTask {
  const task = GENERATED_TASKS.find((known) => known === name);
  if (task !== undefined) return task;
  throw new ConfigError("unknown_task", `cannot generate episodes of the task "${name}"`, {
    where: "--task",
    hint: suggestion(name, [...GENERATED_TASKS]),
  });
}
