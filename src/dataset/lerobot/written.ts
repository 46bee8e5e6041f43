import { DataError } from "../../core/errors.js";
import type { Frames } from "./frames.js";
import type { PixelSums } from "./image-stats.js";

/** Properties that all episodes of a dataset share. */
export interface LerobotShape {
  readonly fps: number;
  readonly robotType: string;
  /** In column order, without the columns that number frames. */
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

/** An episode's frames by feature, all of equal length. */
export interface WrittenEpisode {
  /** For error messages. */
  readonly name: string;
  /** The instruction. */
  readonly task: string;
  readonly numbers: ReadonlyMap<string, Frames>;
  readonly images?: ReadonlyMap<string, readonly WrittenImage[]>;
  /** Seconds, one per frame; derived from `fps` if absent. */
  readonly timestamps?: readonly number[] | undefined;
}

/** An encoded image, and its contribution to the statistics. */
export interface WrittenImage {
  readonly bytes: Uint8Array;
  readonly sums: PixelSums;
}

type Column = Frames | readonly WrittenImage[];

const counter = (dtype: "float32" | "int64"): NumberFeature => {
  return { dtype, shape: [1], names: null };
};

/** The columns with which LeRobot numbers frames. */
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

/** Checks that an episode has the dataset's features in every frame, with the same shapes. */
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
      throw inconsistentEpisode(
        episode,
        `${frames?.length ?? 0} of ${length} frames have ${name}, which the dataset requires`,
      );
    }
    const found = frames.map(shapeOf).find((own) => own !== shape.join(" x "));
    if (found !== undefined) {
      throw inconsistentEpisode(
        episode,
        `${name} has the shape ${found}, expected ${shape.join(" x ")}`,
      );
    }
  }
  for (const name of columns.keys()) {
    throw inconsistentEpisode(episode, `it has ${name}, which earlier episodes lack`);
  }
}

function shapeOf(frame: readonly number[] | WrittenImage): string {
  if (!("sums" in frame)) return String(frame.length);
  const { height, width, channels } = frame.sums;
  return [height, width, channels.length].join(" x ");
}

function inconsistentEpisode({ name }: WrittenEpisode, problem: string): DataError {
  return new DataError("not_alike", `episode ${name}: ${problem}`, {
    hint: "write episodes with different features to separate datasets",
  });
}
