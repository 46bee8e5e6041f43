import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { readText } from "../../config/read.js";
import { ConfigError, DataError } from "../../core/errors.js";
import type { RunInfo, RunResults } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import type { Registries } from "../../registry/registries.js";
import { slug } from "../file-names.js";
import { keepFiles } from "../kept-files.js";
import { mapOrdered } from "../ordered.js";
import { freeRunId, makeFolder, takeRunId } from "../run-id.js";
import { RunWriter } from "../run-writer.js";
import { stopIfAborted } from "../score-options.js";
import { Summariser } from "../summary.js";
import { type AgreementOptions, checkAgreement } from "./agreement.js";
import { carryFaults, carrySetAside } from "./carry.js";
import { Lines } from "./lines.js";
import { endOf, mergedInfo } from "./merged-info.js";
import { whatIsMissing } from "./missing.js";
import { openSources, type Source } from "./source.js";
import { summaryTasks } from "./summary-tasks.js";

/** Files are awaited more than they are worked on; a few under way hide that. */
const AHEAD = 16;

export interface MergeOptions extends AgreementOptions {
  /** The run directories. */
  readonly paths: readonly string[];
  /** Parent folder of the run directory that is made. */
  readonly outDir: string;
  /** Its name; made of the time and the benchmark if absent. */
  readonly runId?: string | undefined;
  readonly registries: Registries;
  /** Called with the names of the metrics before anything is written. */
  readonly onMetrics?: ((names: readonly string[]) => void) | undefined;
  /** When aborted, merging ends with an error and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

/** The summary, and what there is to tell beside it. */
export type MergedResults = RunResults & {
  readonly merged: readonly string[];
  /** What was selected and is not there; always empty without `partial`. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
};

/**
 * Puts the runs of a benchmark's shards together: one run, with the numbers that it would have if it had
 * been made in one go. It appears when it is complete; a merge that fails leaves nothing behind.
 *
 * @example
 * await mergeRuns({ paths: ["runs/shard-1", "runs/shard-2"], outDir: "runs", registries: createRegistries() });
 */
export async function mergeRuns(options: MergeOptions): Promise<MergedResults> {
  const { paths, outDir, registries, signal } = options;
  const [first, ...others] = await openSources(paths);
  if (!first) throw new ConfigError("no_run", "there is no run to merge");
  const sources: readonly [Source, ...Source[]] = [first, ...others];
  checkAgreement(sources, options);
  const lines = await Lines.read(sources);
  const missing = whatIsMissing(sources, lines.counts);
  if (missing.length > 0 && !options.partial) throw incomplete(missing);
  const tasks = await summaryTasks(sources, registries);
  checkTasks(first, lines, Object.keys(tasks));
  const metrics = Object.values(tasks).flatMap((task) => task.metrics.map(({ name }) => name));
  options.onMetrics?.(metrics);
  await checkOut(outDir, sources);

  const agent = options.agent ?? first.info.agent;
  const text = readText(first.run.file("benchmark"));
  const runId = await newRunId(options, first.info, agent);
  const info = mergedInfo(sources, { runId, agent });
  const warnings = [...info.warnings, ...missing.map((text) => `merged in part: ${text}`)];
  const { evaluation } = info.config;
  const summariser = new Summariser({
    runId,
    benchmark: info.benchmark.name,
    agent,
    seed: info.seed,
    repeats: isRecord(evaluation) ? Number(evaluation.repeats ?? 1) : 1,
    tasks,
  });
  const writer = await RunWriter.create(outDir, { ...info, warnings }, text, "whole");
  try {
    const kept = mapOrdered(lines.inOrder(), AHEAD, ({ line, source }) =>
      keepFiles(source.run, line, writer.path),
    );
    for await (const line of kept) {
      stopIfAborted(signal);
      await writer.append(line);
      summariser.add(line);
    }
    for (const source of sources) {
      await carrySetAside(source, writer);
      await carryFaults(source, writer);
    }
    const summary = summariser.finish(missing.length > 0 ? "cancelled" : "done");
    const runDir = await writer.finish(summary, endOf(sources), warnings);
    return { ...summary, run_dir: runDir, merged: info.merged ?? [], missing, warnings };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

function newRunId(
  { outDir, runId }: MergeOptions,
  { benchmark }: RunInfo,
  agent: string,
): Promise<string> {
  if (runId !== undefined) return takeRunId(outDir, runId, "whole");
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  return freeRunId(outDir, `${stamp}-merged-${slug(benchmark.name)}-${slug(agent)}`, "whole");
}

function incomplete(missing: readonly string[]): DataError {
  return new DataError("incomplete", `the runs are not all of it: ${missing.join("; ")}`, {
    hint: "finish runs with resume, run the shards that are missing, or add --partial to merge what there is",
  });
}

function checkTasks({ run }: Source, { counts }: Lines, known: readonly string[]): void {
  for (const task of counts.keys()) {
    if (known.includes(task)) continue;
    throw new DataError(
      "unknown_task",
      `there are results of a task "${task}", which run.json does not know`,
      {
        where: run.file("info"),
      },
    );
  }
}

/** A run is a record; another one inside it would change it. */
async function checkOut(outDir: string, sources: readonly Source[]): Promise<void> {
  await makeFolder(outDir);
  const out = await realpath(outDir);
  for (const { run } of sources) {
    const way = relative(await realpath(run.path), out);
    if (way.startsWith("..")) continue;
    throw new ConfigError("bad_out", "the folder is inside of a run that is merged", {
      where: outDir,
      hint: "choose another parent folder with --out",
    });
  }
}
