import type { BaseEpisode } from "../../core/episode/base.js";
import { type DataError, RobotEvalError } from "../../core/errors.js";
import type { DatasetSource } from "../format.js";
import { type FormatRegistry, loadEpisodes, resolveFormat } from "../loader.js";
import { type DroppedField, Drops } from "./drops.js";
import { lerobotTarget } from "./lerobot.js";
import { nativeTarget } from "./native.js";
import { objectNavTarget } from "./objectnav.js";
import { ovmmTarget } from "./ovmm.js";
import { pointNavTarget } from "./pointnav.js";
import { r2rVlnceTarget } from "./r2r-vlnce.js";
import { staged } from "./staging.js";
import { type ConvertTarget, namedTarget } from "./target.js";

export interface ConvertOptions extends Omit<DatasetSource, "onBadEpisode"> {
  /** The format to read; detected from the content if omitted. */
  readonly format?: string | undefined;
  readonly formats: FormatRegistry;
  /** The format to write: one of `CONVERT_TARGETS`. */
  readonly to: string;
  readonly out: string;
  /** Replaces an existing dataset of the same format at `out`. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ConvertReport {
  readonly from: { readonly path: string; readonly format: string };
  readonly to: string;
  readonly out: string;
  readonly written: number;
  /** Listed episodes without data, which only a partial conversion skips. */
  readonly left_out: number;
  readonly dropped: readonly DroppedField[];
  readonly notes: readonly string[];
}

export const CONVERT_TARGETS: readonly ConvertTarget[] = [
  nativeTarget,
  r2rVlnceTarget,
  objectNavTarget,
  pointNavTarget,
  ovmmTarget,
  lerobotTarget,
];

/**
 * Converts a dataset to another format and reports the fields that were dropped. The write is atomic.
 *
 * @example
 * const { formats } = createRegistries();
 * await convertDataset({ path: "val_seen.json.gz", formats, to: "native", out: "val_seen.jsonl" });
 */
export async function convertDataset(options: ConvertOptions): Promise<ConvertReport> {
  const { path, out, to } = options;
  const target = namedTarget(CONVERT_TARGETS, to);
  const format = await resolveFormat(options);
  let leftOut = 0;
  const onMissing = (problem: DataError) => {
    if (problem.code !== "missing_episode_file") throw problem;
    leftOut++;
  };
  const episodes = loadEpisodes({
    ...options,
    format: format.name,
    // A format may skip missing episodes silently, but the report has to count them.
    partial: false,
    onBadEpisode: options.partial ? onMissing : undefined,
  });
  const content = () => Promise.resolve({ episodes });
  const { written, ...notes } = await write(target, { ...options, input: path, content });
  return { from: { path, format: format.name }, to, out, written, left_out: leftOut, ...notes };
}

interface DatasetContent {
  readonly episodes: Iterable<BaseEpisode> | AsyncIterable<BaseEpisode>;
  /** The words of instruction tokens, by token number. */
  readonly vocabulary?: readonly string[] | undefined;
}

interface OutputOptions extends Pick<ConvertOptions, "out" | "force" | "signal"> {
  /** The dataset from which the result is made, if it is on disk. */
  readonly input?: string;
  /** Called once `out` has been checked. */
  readonly content: () => Promise<DatasetContent>;
}

/** Writes episodes that were created in memory, in the same way as a conversion. */
export function writeDataset(
  options: Pick<ConvertOptions, "to"> & OutputOptions,
): Promise<Pick<ConvertReport, "dropped" | "notes">> {
  return write(namedTarget(CONVERT_TARGETS, options.to), options);
}

async function write(
  target: ConvertTarget,
  { input, out, force = false, content, signal }: OutputOptions,
): Promise<Pick<ConvertReport, "written" | "dropped" | "notes">> {
  const drops = new Drops();
  const notes: string[] = [];
  let written = 0;
  await staged({ target, input, out, force }, async (folder) => {
    const { episodes, vocabulary } = await content();
    async function* counted(): AsyncGenerator<BaseEpisode> {
      for await (const episode of episodes) {
        if (signal?.aborted) {
          throw new RobotEvalError("interrupted", "stopped; nothing was written", {
            exitCode: 130,
          });
        }
        drops.nextEpisode();
        yield episode;
        written++;
      }
    }
    const note = (text: string) => notes.push(text);
    await target.write(counted(), folder, { out, drops, vocabulary, note });
  });
  return { written, dropped: drops.list(), notes };
}
