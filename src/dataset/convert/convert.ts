import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, type DataError, RobotEvalError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import type { DatasetSource } from "../format.js";
import { type FormatRegistry, loadEpisodes, resolveFormat } from "../loader.js";
import { type DroppedField, Drops } from "./drops.js";
import { lerobotTarget } from "./lerobot.js";
import { nativeTarget } from "./native.js";
import { objectNavTarget } from "./objectnav.js";
import { pointNavTarget } from "./pointnav.js";
import { r2rVlnceTarget } from "./r2r-vlnce.js";
import { staged } from "./staging.js";
import type { ConvertTarget } from "./target.js";

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
  /** Other notes about the result. */
  readonly notes: readonly string[];
}

/** The formats to which datasets can be converted. */
export const CONVERT_TARGETS: readonly ConvertTarget[] = [
  nativeTarget,
  r2rVlnceTarget,
  objectNavTarget,
  pointNavTarget,
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
  const { path, out, to, force = false } = options;
  const target = targetNamed(to);
  const format = await resolveFormat(options);
  const drops = new Drops();
  const notes: string[] = [];
  const counts = { written: 0, left_out: 0 };
  const onMissing = (problem: DataError) => {
    if (problem.code !== "missing_episode_file") throw problem;
    counts.left_out++;
  };
  const episodes = loadEpisodes({
    ...options,
    format: format.name,
    // A format may skip missing episodes silently, but the report has to count them.
    partial: false,
    onBadEpisode: options.partial ? onMissing : undefined,
  });
  await staged({ target, input: path, out, force }, (folder) =>
    target.write(counted(episodes, drops, counts, options.signal), folder, {
      out,
      drops,
      note: (text) => notes.push(text),
    }),
  );
  const from = { path, format: format.name };
  return { from, to, out, ...counts, dropped: drops.list(), notes };
}

export interface WriteOptions {
  /** The format to write: one of `CONVERT_TARGETS`. */
  readonly to: string;
  readonly out: string;
  readonly force?: boolean | undefined;
  /** Called once `out` has been checked. */
  readonly content: () => Promise<DatasetContent>;
}

interface DatasetContent {
  readonly episodes: readonly BaseEpisode[];
  /** The words of instruction tokens, by token number. */
  readonly vocabulary?: readonly string[] | undefined;
}

/** Writes episodes that were created in memory, in the same way as a conversion. */
export async function writeDataset(
  options: WriteOptions,
): Promise<Pick<ConvertReport, "dropped" | "notes">> {
  const { to, out, force = false } = options;
  const target = targetNamed(to);
  const drops = new Drops();
  const notes: string[] = [];
  await staged({ target, out, force }, async (folder) => {
    const { episodes, vocabulary } = await options.content();
    const counts = { written: 0 };
    await target.write(counted(fromMemory(episodes), drops, counts, undefined), folder, {
      out,
      drops,
      vocabulary,
      note: (text) => notes.push(text),
    });
  });
  return { dropped: drops.list(), notes };
}

async function* fromMemory(episodes: readonly BaseEpisode[]): AsyncGenerator<BaseEpisode> {
  yield* episodes;
}

function targetNamed(name: string): ConvertTarget {
  const target = CONVERT_TARGETS.find((one) => one.name === name);
  if (target) return target;
  const names = CONVERT_TARGETS.map((one) => one.name);
  throw new ConfigError("unknown_target", `cannot convert to "${name}"`, {
    where: "--to",
    hint: suggestion(name, names),
  });
}

async function* counted(
  episodes: AsyncIterable<BaseEpisode>,
  drops: Drops,
  counts: { written: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<BaseEpisode> {
  for await (const episode of episodes) {
    if (signal?.aborted) {
      throw new RobotEvalError("interrupted", "stopped; nothing was written", { exitCode: 130 });
    }
    drops.nextEpisode();
    yield episode;
    counts.written++;
  }
}
