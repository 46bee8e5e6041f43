import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { makeFolder } from "../../config/output-path.js";
import { isBelow } from "../../config/paths.js";
import { readText } from "../../config/read.js";
import { ConfigError, DataError } from "../../core/errors.js";
import type { RunInfo, RunResults } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import type { Registries } from "../../registry/registries.js";
import { slug, timeStamp } from "../directory/file-names.js";
import { readJsonLines } from "../directory/json-lines.js";
import { keepFiles } from "../directory/kept-files.js";
import { mapOrdered } from "../directory/ordered.js";
import { freeRunId, takeRunId } from "../directory/run-id.js";
import { isOwnRun, withConfigMac } from "../directory/run-key.js";
import { RunWriter } from "../directory/run-writer.js";
import { SetAside } from "../directory/set-aside.js";
import type { RunPermissions } from "../recorded/recorded-benchmark.js";
import { stopIfAborted } from "../score/score-options.js";
import { Summariser } from "../summary/summary.js";
import { type AgreementOptions, checkAgreement } from "./agreement.js";
import { type Lines, readLines } from "./lines.js";
import { endOf, mergedInfo } from "./merged-info.js";
import { describeMissing } from "./missing.js";
import { openSources, type Source } from "./source.js";
import { summaryTasks } from "./summary-tasks.js";

/** Number of concurrent file operations, to hide disk latency. */
const AHEAD = 16;

export interface MergeOptions extends AgreementOptions, Pick<RunPermissions, "plugins"> {
  /** The run directories. */
  readonly paths: readonly string[];
  /** Parent folder of the new run directory. */
  readonly outDir: string;
  /** Name of the new run; made from the time and the benchmark if absent. */
  readonly runId?: string | undefined;
  readonly registries: Registries;
  /** Called with the names of the metrics before anything is written. */
  readonly onMetrics?: ((names: Readonly<Record<string, readonly string[]>>) => void) | undefined;
  /** When aborted, merging throws and leaves no files. */
  readonly signal?: AbortSignal | undefined;
}

export type MergedResults = RunResults & {
  readonly merged: readonly string[];
  /** Descriptions of missing shards and episodes; always empty without `partial`. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
};

/**
 * Merges the runs of a benchmark's shards into one run with the same results as an unsharded run. The run
 * directory appears when it is complete; a merge that fails leaves no files.
 *
 * @example
 * await mergeRuns({ paths: ["runs/shard-1", "runs/shard-2"], outDir: "runs", registries: createRegistries() });
 */
export async function mergeRuns(options: MergeOptions): Promise<MergedResults> {
  const { paths, outDir, registries, signal } = options;
  const sources = await openSources(paths);
  const [first] = sources;
  checkAgreement(sources, options);
  const lines = await readLines(sources);
  const missing = describeMissing(sources, lines.counts);
  if (missing.length > 0 && !options.partial) throw incomplete(missing);
  const tasks = await summaryTasks(sources, registries, { plugins: options.plugins });
  checkTasks(first, lines, Object.keys(tasks));
  const metrics = Object.entries(tasks).map(
    ([task, own]) => [task, own.metrics.map(({ name }) => name)] as const,
  );
  options.onMetrics?.(Object.fromEntries(metrics));
  await checkOut(outDir, sources);

  const agent = options.agent ?? first.info.agent;
  const text = readText(first.run.file("benchmark"));
  const runId = await newRunId(options, first.info, agent);
  const merged = mergedInfo(sources, { runId, agent });
  // A merge that includes runs from elsewhere is marked as from elsewhere too.
  const info = sources.every((source) => isOwnRun(source.info)) ? withConfigMac(merged) : merged;
  const warnings = [...info.warnings, ...missing.map((text) => `merged in part: ${text}`)];
  const summariser = Summariser.of(info, tasks);
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
  const stamp = timeStamp();
  return freeRunId(outDir, `${stamp}-merged-${slug(benchmark.name)}-${slug(agent)}`, "whole");
}

function incomplete(missing: readonly string[]): DataError {
  return new DataError("incomplete", `the runs are incomplete: ${missing.join("; ")}`, {
    hint: "finish the runs with `robot-eval resume`, run the missing shards, or add --partial to merge the existing results",
  });
}

function checkTasks({ run }: Source, { counts }: Lines, known: readonly string[]): void {
  for (const task of counts.keys()) {
    if (known.includes(task)) continue;
    throw new DataError(
      "unknown_task",
      `the results contain task "${task}", which run.json does not list`,
      {
        where: run.file("info"),
      },
    );
  }
}

/** Rejects an output folder inside a source run, because merging must not modify it. */
async function checkOut(outDir: string, sources: readonly Source[]): Promise<void> {
  makeFolder(outDir);
  const out = await realpath(outDir);
  for (const { run } of sources) {
    if (!isBelow(await realpath(run.path), out)) continue;
    throw new ConfigError("bad_out", "the output folder is inside a run to be merged", {
      where: outDir,
      hint: "choose another parent folder with --out",
    });
  }
}

/**
 * Copies lines that a run has set aside. All of them were retried: the other reason is an early stop, and
 * such runs are not merged. Their trajectory files no longer exist.
 */
async function carrySetAside({ run }: Source, writer: RunWriter): Promise<void> {
  for await (const line of new SetAside(run.path).read()) {
    await writer.setAside.add({ ...line, trajectory: null }, "tried_again");
  }
}

/** Copies log entries about faults, each with the id of its run. */
async function carryFaults({ run, info }: Source, writer: RunWriter): Promise<void> {
  const { run_id, selection, started_at, finished_at, versions, resumed } = info;
  const part = { run_id, path: run.path, selection, started_at, finished_at, versions };
  writer.log.add({ level: "info", event: "run_merged", ...part, ...(resumed ? { resumed } : {}) });
  const path = run.file("eventLog");
  if (!existsSync(path)) return;
  try {
    for await (const { value } of readJsonLines(path, { toleratesUnfinishedEnd: true })) {
      if (!isRecord(value) || value.event !== "episode_fault") continue;
      const { time, level: _, event: __, ...detail } = value;
      const when = new Date(String(time));
      writer.log.add({ ...detail, level: "error", event: "episode_fault", run_id }, when);
    }
  } catch {
    // Ignore a damaged log: it only helps debugging and must not prevent the merge.
  }
}
