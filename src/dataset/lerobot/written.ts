import { DataError } from "../../core/errors.js";
import type { Frames } from "./frames.js";
import type { PixelSums } from "./image-stats.js";

/** What all episodes of a dataset share. */
export interface LerobotShape {
  readonly fps: number;
  readonly robotType: string;
  /** In the order of the columns, without those that number the frames. */
  readonly features: Readonly<Record<string, WrittenFeature>>;
}

export type WrittenFeature = NumberFeature | ImageFeature;

interface NumberFeature {
  readonly dtype: "float32" | "int64";
  readonly shape: readonly [number];
  readonly names: readonly string[] | null;
}

interface ImageFeature {
  readonly dtype: "image";
  readonly shape: readonly [height: number, width: number, channels: number];
  readonly names: readonly ["height", "width", "channel"];
}

/** An episode's frames by feature, all of the same length. */
export interface WrittenEpisode {
  /** For errors. */
  readonly name: string;
  /** What the robot was told. */
  readonly task: string;
  readonly numbers: ReadonlyMap<string, Frames>;
  readonly images?: ReadonlyMap<string, readonly WrittenImage[]>;
  /** Seconds, one for each frame; a steady clock if absent. */
  readonly timestamps?: readonly number[] | undefined;
}

/** A picture as its file, and what of it the statistics need. */
export interface WrittenImage {
  readonly bytes: Uint8Array;
  readonly sums: PixelSums;
}

type Column = Frames | readonly WrittenImage[];

const counter = (dtype: "float32" | "int64"): NumberFeature => {
  return { dtype, shape: [1], names: null };
};

/** The columns by which LeRobot numbers frames. */
export const COUNTERS = {
  timestamp: counter("float32"),
  frame_index: counter("int64"),
  episode_index: counter("int64"),
  index: counter("int64"),
  task_index: counter("int64"),
} as const;

export const DATA_PATH = "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet";

export function imageFeature({ width, height, channels }: PixelSums): ImageFeature {
  const shape = [height, width, channels.length] as const;
  return { dtype: "image", shape, names: ["height", "width", "channel"] };
}

export function lengthOf({ numbers, images }: WrittenEpisode): number {
  for (const column of [...numbers.values(), ...(images?.values() ?? [])]) return column.length;
  return 0;
}

/** All episodes have the features that the dataset has, in every frame and of the same shape. */
export function checkEpisode(
  episode: WrittenEpisode,
  features: Readonly<Record<string, WrittenFeature>>,
): void {
  const length = lengthOf(episode);
  const columns = new Map<string, Column>([...episode.numbers, ...(episode.images ?? [])]);
  for (const [name, { shape }] of Object.entries(features)) {
    const frames = columns.get(name);
    columns.delete(name);
    if (frames?.length !== length || length === 0) {
      throw notAlike(
        episode,
        `${frames?.length ?? 0} of ${length} frames have ${name}, which the dataset has`,
      );
    }
    const found = frames.map(shapeOf).find((own) => own !== shape.join(" x "));
    if (found !== undefined) {
      throw notAlike(episode, `${name} is ${found}, and ${shape.join(" x ")} in the dataset`);
    }
  }
  for (const name of columns.keys()) {
    throw notAlike(episode, `it has ${name}, which the episodes before it have not`);
  }
}

function shapeOf(frame: readonly number[] | WrittenImage): string {
  if (!("sums" in frame)) return String(frame.length);
  const { height, width, channels } = frame.sums;
  return [height, width, channels.length].join(" x ");
}

function notAlike({ name }: WrittenEpisode, problem: string): DataError {
  return new DataError("not_alike", `episode ${name}: ${problem}`, {
    hint: "all episodes of a LeRobot dataset have the same features: write them apart",
  });
}
