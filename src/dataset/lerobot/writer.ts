import type { WrittenTotals } from "./episode-columns.js";
import { LerobotWriterV2 } from "./writer-v2.js";
import { LerobotWriterV3 } from "./writer-v3.js";
import type { LerobotShape, WrittenEpisode } from "./written.js";

/** Versions of LeRobot's format that can be written; the first is the default. */
export const LEROBOT_VERSIONS = ["3.0", "2.1"] as const;

export type LerobotVersion = (typeof LEROBOT_VERSIONS)[number];

/** Writes a LeRobot dataset, one episode at a time. Added episodes are on disk. */
export interface LerobotWriter {
  add(episode: WrittenEpisode): Promise<void>;
  /** Writes the metadata that is only known at the end. */
  finish(): Promise<WrittenTotals>;
  /** Closes the files; `finish` does so too. */
  close(): Promise<void>;
}

/**
 * @param folder exists and contains no dataset
 *
 * @example
 * const writer = await createLerobotWriter(folder, { fps: 4, robotType: "arm", features }, "3.0");
 * try {
 *   await writer.add({ name: "0", task: "reach", numbers: new Map([["action", [[0.5], [0.25]]]]) });
 *   await writer.finish();
 * } finally {
 *   await writer.close();
 * }
 */
export function createLerobotWriter(
  folder: string,
  shape: LerobotShape,
  version: LerobotVersion = LEROBOT_VERSIONS[0],
): Promise<LerobotWriter> {
  return version === "2.1"
    ? LerobotWriterV2.create(folder, shape)
    : LerobotWriterV3.create(folder, shape);
}
