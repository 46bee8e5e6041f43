import { writeDataset } from "../dataset/convert/convert.js";
import type { GeneratedSplit } from "./generate.js";
import { type GeneratedTask, generatedTask } from "./options.js";

/** The layout that a task's episodes are written in: what Habitat and VLN-CE read. */
export const LAYOUTS: Readonly<Record<GeneratedTask, string>> = {
  vln: "r2r-vlnce",
  objectnav: "objectnav",
  image_nav: "pointnav",
};

export interface SplitPlace {
  readonly task: string;
  /** A `.json` or `.json.gz` file; of vln the ground truth goes beside it. */
  readonly out: string;
  /** Replaces what is there. */
  readonly force?: boolean | undefined;
}

/** Makes a split and writes it; whether it may be written is looked at first. */
export async function writeSplit(
  { task, out, force }: SplitPlace,
  make: () => Promise<GeneratedSplit>,
): Promise<GeneratedSplit> {
  let split: GeneratedSplit | undefined;
  const content = async () => {
    split = await make();
    return split;
  };
  const to = LAYOUTS[generatedTask(task)];
  const { dropped } = await writeDataset({ to, out, force, content });
  if (!split || dropped.length > 0) {
    const fields = dropped.map(({ field }) => field).join(", ");
    throw new Error(`the ${to} layout does not hold ${fields || "anything"}`);
  }
  return split;
}
