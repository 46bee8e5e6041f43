import { RegistryError } from "./errors.js";
import { suggestion } from "./registry.js";

/**
 * The same metric name is computed differently in different systems. A profile is the set of conventions of one
 * reference system; every reported value names its profile.
 */
export interface Profile {
  readonly name: string;
  readonly description: string;
  /** Success requires a distance strictly below this, in metres. By task type, `default` for the rest. */
  readonly successDistanceM: Readonly<Record<string, number>> & { readonly default: number };
  /** Whether success requires the `stop` action; otherwise only the last position matters. */
  readonly stopRequired: boolean;
  /** Whether the episode ends as soon as the robot is within the success distance. */
  readonly arrivalEnds: boolean;
  /** Whether `steps_taken` counts the stop action. */
  readonly countsStop: boolean;
  /** The reference of DTW and CLS: the episode's path, or its dense path if the dataset has one. */
  readonly reference: "path" | "dense";
  /** The distance that DTW and CLS use: straight lines, or shortest paths in the scene. */
  readonly ground: "euclidean" | "scene";
  /**
   * How many instructions of a path are scored, from the first; all if absent. Applies to datasets whose episodes
   * are the instructions of paths.
   */
  readonly instructionsPerPath?: number;
  /** Default metrics of instruction-following tasks. */
  readonly metrics: readonly string[];
}

const COMMON = ["success", "spl", "navigation_error", "oracle_success", "path_length"];

export const PROFILES: Readonly<Record<string, Profile>> = {
  design: {
    name: "design",
    description: "arriving within 0.2 m is a success and ends the episode; no stop required",
    successDistanceM: { default: 0.2 },
    stopRequired: false,
    arrivalEnds: true,
    countsStop: true,
    reference: "path",
    ground: "euclidean",
    metrics: [...COMMON, "steps_taken", "ndtw", "sdtw"],
  },
  habitat: {
    name: "habitat",
    description: "Habitat-Lab: stop within 0.2 m (ObjectNav 0.1 m of a view point)",
    successDistanceM: { default: 0.2, objectnav: 0.1 },
    stopRequired: true,
    arrivalEnds: false,
    countsStop: true,
    reference: "path",
    ground: "euclidean",
    metrics: ["success", "spl", "soft_spl", "distance_to_goal", "path_length", "collisions"],
  },
  vlnce: {
    name: "vlnce",
    description: "R2R-CE and RxR-CE: stop within 3 m; nDTW against the dense ground-truth path",
    successDistanceM: { default: 3 },
    stopRequired: true,
    arrivalEnds: false,
    countsStop: true,
    reference: "dense",
    ground: "euclidean",
    metrics: [...COMMON, "steps_taken", "ndtw", "sdtw"],
  },
  r2r: {
    name: "r2r",
    description:
      "Room-to-Room on the graph: the last viewpoint must be within 3 m; no stop required; three instructions per path",
    successDistanceM: { default: 3 },
    stopRequired: false,
    arrivalEnds: false,
    countsStop: false,
    reference: "path",
    ground: "scene",
    // tasks/R2R/eval.py of Matterport3DSimulator expects the ids `<path_id>_0` to `<path_id>_2` and ignores others.
    instructionsPerPath: 3,
    metrics: [...COMMON, "ndtw", "sdtw", "cls"],
  },
  ndh: {
    name: "ndh",
    description: "Navigation from Dialog History: as r2r, the goal is the trusted path's end",
    successDistanceM: { default: 3 },
    stopRequired: false,
    arrivalEnds: false,
    countsStop: false,
    reference: "path",
    ground: "scene",
    metrics: [...COMMON, "goal_progress"],
  },
  ovmm: {
    name: "ovmm",
    description:
      "HomeRobot's OVMM: find within 0.1 m of a view point, place for 50 steps without collisions; rearrange only",
    // `nav_to_pick_succ` in habitat-lab/habitat/config/habitat/task/ovmm/ovmm.yaml.
    successDistanceM: { default: 0.1 },
    stopRequired: false,
    arrivalEnds: false,
    countsStop: true,
    reference: "path",
    ground: "euclidean",
    metrics: COMMON,
  },
};

const DEFAULT_PROFILE = "design";

export function getProfile(name: string): Profile {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile) return profile;
  throw new RegistryError("unknown_profile", `unknown profile "${name}"`, {
    hint: suggestion(name, Object.keys(PROFILES)),
  });
}

/** A task's rules: its profile, with the overrides of its config. */
export interface Rules extends Omit<Profile, "successDistanceM"> {
  readonly successDistanceM: number;
}

/**
 * The rules of a task; reads `profile` and `success_distance` of its config.
 *
 * @example
 * rulesOf("vln", { profile: "vlnce" }).successDistanceM; // 3
 */
export function rulesOf(taskType: string, config: Readonly<Record<string, unknown>>): Rules {
  const { profile: name, success_distance: own } = config;
  const profile = getProfile(typeof name === "string" ? name : DEFAULT_PROFILE);
  const byProfile = profile.successDistanceM[taskType] ?? profile.successDistanceM.default;
  return { ...profile, successDistanceM: typeof own === "number" ? own : byProfile };
}
