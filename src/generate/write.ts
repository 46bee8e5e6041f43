import type { BaseEpisode } from "../core/episode/base.js";
import { writeDataset } from "../dataset/convert/convert.js";
import type { GeneratedSplit } from "./generate.js";
import type { ManipulationSplit } from "./manipulation/generate.js";
import { type GeneratedTask, generatedTask } from "./options.js";

/** File layout of each task's episodes, as read by Habitat and VLN-CE. */
export const LAYOUTS: Readonly<Record<GeneratedTask, string>> = {
  vln: "r2r-vlnce",
  objectnav: "objectnav",
  image_nav: "pointnav",
  rearrange: "native",
};

export interface SplitOutput {
  readonly task: string;
  /** A `.json` or `.json.gz` file; vln ground truth goes into a second file next to it. */
  readonly out: string;
  /** Replaces an existing file. */
  readonly force?: boolean | undefined;
}

/**
 * Generates and writes a split; first checks that the output may be written.
 *
 * @example
 * const options = { task: "vln", scenes: drawnApartments, seed: 1, count: 100 };
 * await writeSplit({ task: "vln", out: "val.json.gz" }, () => generateEpisodes(options));
 */
export async function writeSplit(
  { task, out, force }: SplitOutput,
  make: () => Promise<GeneratedSplit>,
): Promise<GeneratedSplit> {
  return write(LAYOUTS[generatedTask(task)], { out, force }, make);
}

/**
 * Generates manipulation episodes and writes them as native files.
 *
 * @example
 * const options = { task: "stacking", robot: "panda", seed: 1, count: 10 } as const;
 * await writeEpisodes({ out: "stacking.jsonl.gz" }, () => generateManipulation(options));
 */
export async function writeEpisodes(
  output: Pick<SplitOutput, "out" | "force">,
  make: () => Promise<ManipulationSplit>,
): Promise<ManipulationSplit> {
  return write("native", output, make);
}

async function write<T extends { readonly episodes: readonly BaseEpisode[] }>(
  to: string,
  { out, force }: Pick<SplitOutput, "out" | "force">,
  make: () => Promise<T>,
): Promise<T> {
  let made: T | undefined;
  const content = async () => {
    made = await make();
    return made;
  };
  const { dropped } = await writeDataset({ to, out, force, content });
  if (!made || dropped.length > 0) {
    const fields = dropped.map(({ field }) => field).join(", ");
    throw new Error(`the ${to} layout cannot store ${fields || "the episodes"}`);
  }
  return made;
}
