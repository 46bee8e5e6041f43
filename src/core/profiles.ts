import { RegistryError } from "./errors.js";
import { suggestion } from "./registry.js";

/**
 * One metric name means different numbers in different systems. A profile is the set of conventions
 * that one reference system uses; every number we report names its profile.
 */
export interface Profile {
  readonly name: string;
  readonly description: string;
  /** Metres; success is strictly nearer than this. By task type, `default` for the rest. */
  readonly successDistanceM: Readonly<Record<string, number>> & { readonly default: number };
  /** Success needs the `stop` action; without it, only the last position is judged. */
  readonly stopRequired: boolean;
  /** The episode ends by itself as soon as the goal is near enough. */
  readonly arrivalEnds: boolean;
  /** `steps_taken` counts the stop action. */
  readonly countsStop: boolean;
  /** What DTW and CLS compare with: the episode's path, or the dense one where the dataset has it. */
  readonly reference: "path" | "dense";
  /** How DTW and CLS measure between two places. */
  readonly ground: "euclidean" | "scene";
  /** What instruction-following results are reported by, unless the task names its metrics. */
  readonly metrics: readonly string[];
}

const COMMON = ["success", "spl", "navigation_error", "oracle_success", "path_length"];

export const PROFILES: Readonly<Record<string, Profile>> = {
  design: {
    name: "design",
    description: "arriving within 0.2 m ends the episode and is success; no stop needed",
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
    description: "Room-to-Room on the graph: the last viewpoint is judged, within 3 m",
    successDistanceM: { default: 3 },
    stopRequired: false,
    arrivalEnds: false,
    countsStop: false,
    reference: "path",
    ground: "scene",
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
};

const DEFAULT_PROFILE = "design";

export function getProfile(name: string): Profile {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile) return profile;
  throw new RegistryError("unknown_profile", `unknown profile "${name}"`, {
    hint: suggestion(name, Object.keys(PROFILES)),
  });
}

/** A task's rules: its profile, with what its own config overrides. */
export interface Rules extends Omit<Profile, "successDistanceM"> {
  readonly successDistanceM: number;
}

/** `config` is a task's configuration; `profile` and `success_distance` in it count. */
export function rulesOf(taskType: string, config: Readonly<Record<string, unknown>>): Rules {
  const { profile: name, success_distance: own } = config;
  const profile = getProfile(typeof name === "string" ? name : DEFAULT_PROFILE);
  const byProfile = profile.successDistanceM[taskType] ?? profile.successDistanceM.default;
  return { ...profile, successDistanceM: typeof own === "number" ? own : byProfile };
}
