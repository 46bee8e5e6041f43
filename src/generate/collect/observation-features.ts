import {
  type ColorImage,
  type DepthImage,
  isImage,
  type Observation,
} from "../../core/interfaces/observation.js";
import type { SensorConfig } from "../../core/task/types.js";

export interface FeatureOptions {
  /** The benchmark's sensors by name. */
  readonly sensors: Readonly<Record<string, SensorConfig>>;
  readonly depth: boolean;
  readonly goalImage: boolean;
}

/** The recorded part of an observation. */
export interface ObservationFeatures {
  /** Images by feature. */
  readonly images: ReadonlyMap<string, ColorImage | DepthImage>;
  /** `observation.state`, and the names of its numbers. */
  readonly state: readonly number[];
  readonly names: readonly string[];
}

const AXES = ["x", "y", "z"];
const CAMERAS = ["rgb", "depth", "semantic", "imagegoal"];

/**
 * Splits an observation into colour images (and depth, if requested) by camera, and the concatenated numbers of all
 * other sensors. Text goes into the task, not into frames. Cameras that are not kept are not read, because reading
 * renders them.
 */
export function observationFeatures(
  observation: Observation,
  options: FeatureOptions,
): ObservationFeatures {
  const images = new Map<string, ColorImage | DepthImage>();
  const state: number[] = [];
  const names: string[] = [];
  for (const sensor of Object.keys(observation)) {
    const type = options.sensors[sensor]?.type;
    const kind = CAMERAS.find((one) => one === (typeof type === "string" ? type : sensor));
    if (kind !== undefined && !isWanted(kind, options)) continue;
    const value = observation[sensor];
    if (isImage(value)) {
      if (value.kind === "semantic" || !isWanted(kind ?? value.kind, options)) continue;
      const feature = kind === "imagegoal" ? GOAL : `observation.${FOLDERS[value.kind]}.${sensor}`;
      images.set(feature, value);
    } else {
      const numbers = numbersOf(value);
      state.push(...numbers.map(Math.fround));
      names.push(...numbers.map((_, i) => nameOf(sensor, i, numbers.length)));
    }
  }
  return { images, state, names };
}

export const GOAL = "observation.images.goal";
const FOLDERS = { rgb: "images", depth: "depth" } as const;

function isWanted(kind: string, { depth, goalImage }: FeatureOptions): boolean {
  if (kind === "depth") return depth;
  return kind === "imagegoal" ? goalImage : kind !== "semantic";
}

function numbersOf(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (value instanceof Float32Array || value instanceof Float64Array) return [...value];
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? value : [];
}

function nameOf(sensor: string, i: number, count: number): string {
  if (count === 1) return sensor;
  return `${sensor}_${sensor === "gps" ? (AXES[i] ?? i) : i}`;
}
