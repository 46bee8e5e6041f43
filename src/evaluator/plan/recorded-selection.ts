import type { RunInfo } from "../../core/interfaces/result.js";
import { limitDraws } from "../../runs/recorded/recorded-config.js";
import type { PrepareOptions } from "./prepare.js";

/** The options that select a recorded run's episodes again. */
export function recordedSelection(
  info: RunInfo,
): Pick<PrepareOptions, "limit" | "first" | "filter" | "shard" | "limitDraws"> {
  return { ...info.selection, limitDraws: limitDraws(info) };
}
