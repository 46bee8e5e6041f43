import { existsSync } from "node:fs";
import { join } from "node:path";
import { type LoadedConfig, parseConfig } from "../../config/load.js";
import type { RunStatus } from "../../core/interfaces/result.js";
import { writeJson } from "../../runs/directory/files.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { FILES } from "../../runs/directory/run-files.js";
import { analyse } from "../../runs/stress/analyse.js";
import type { StressReport } from "../../runs/stress/documents.js";
import { STRESS_FILE } from "../../runs/stress/read-stress.js";
import { UnifiedRobotEvaluator } from "../evaluator.js";
import type { RunOptions } from "../execute/run-episodes.js";
import type { PrepareOptions } from "../plan/prepare.js";
import { resumeRun } from "../resume.js";

export interface StressRunOptions extends RunOptions {
  /** Called before each of its runs. */
  readonly onPart?: ((part: StressPart) => void) | undefined;
}

/** One run of a stress test. */
interface StressPart {
  /** The stress folder. */
  readonly folder: string;
  /** Name of its run directory. */
  readonly run: string;
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

export interface StressResult {
  readonly report: StressReport;
  readonly folder: string;
}

export interface StressRun {
  /** The unperturbed benchmark. */
  readonly loaded: LoadedConfig;
  readonly expert: string;
  readonly selection: Pick<PrepareOptions, "limit" | "filter">;
}

/** Runs or resumes all parts that are not done, in order, and writes stress.json after each. */
export async function runParts(
  folder: string,
  draft: StressReport,
  run: StressRun,
  options: StressRunOptions,
): Promise<StressResult> {
  const done: Parameters<typeof analyse>[2] = new Map();
  const write = async (status: RunStatus): Promise<StressReport> => {
    const finished_at = status === "running" ? null : new Date().toISOString();
    const report = await analyse(folder, { ...draft, status, finished_at }, done);
    await writeJson(join(folder, STRESS_FILE), report);
    return report;
  };
  await write("running");
  const parts = partsOf(draft);
  for (const [i, part] of parts.entries()) {
    if (options.signal?.aborted) return { report: await write("cancelled"), folder };
    const { onPart, ...runOptions } = options;
    onPart?.({ folder, run: part.run, number: i + 1, of: parts.length });
    const ended = await runPart(folder, draft, part, run, runOptions);
    if (ended.status !== "done") return { report: await write(ended.status), folder };
    await write("running");
  }
  return { report: await write("done"), folder };
}

interface Part {
  readonly run: string;
  /** Undefined for the baseline. */
  readonly perturbation?: PerturbationSetting;
  readonly isExpert?: boolean;
}

interface PerturbationSetting {
  readonly axis: string;
  readonly level: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

function partsOf({ baseline, axes }: StressReport): Part[] {
  return [
    { run: baseline.run },
    ...axes.flatMap(({ axis, settings, levels }) =>
      levels.flatMap(({ level, run, expert_run }): Part[] => {
        const perturbation = { axis, level, settings };
        const own = { run, perturbation };
        return expert_run === null
          ? [own]
          : [own, { run: expert_run, perturbation, isExpert: true }];
      }),
    ),
  ];
}

async function runPart(
  folder: string,
  { agent, seed, early_stop }: StressReport,
  { run, perturbation, isExpert = false }: Part,
  { loaded, expert, selection }: StressRun,
  options: RunOptions,
): Promise<{ readonly status: RunStatus }> {
  const path = join(folder, run);
  const before = await statusOf(path);
  if (before === "done") return { status: "done" };
  if (before !== undefined) return resumeRun(path, options);
  const config = perturbation
    ? withPerturbation(loaded, perturbation, isExpert ? null : early_stop)
    : loaded;
  return new UnifiedRobotEvaluator(config, {
    ...options,
    ...selection,
    agent: isExpert ? expert : agent,
    seed,
    outDir: folder,
    runId: run,
  }).run();
}

/** The benchmark with a perturbation, as if it were given by `--set`, so that each run can be resumed by itself. */
export function withPerturbation(
  loaded: LoadedConfig,
  perturbation: PerturbationSetting,
  earlyStop: StressReport["early_stop"],
): LoadedConfig {
  const set = [
    ...loaded.set,
    `evaluation.perturbation=${JSON.stringify(perturbation)}`,
    ...(earlyStop ? [`evaluation.early_stop=${JSON.stringify(earlyStop)}`] : []),
  ];
  const { text, file, baseDir, within, recorded } = loaded;
  return parseConfig(text, { file, baseDir, within, recorded, set });
}

/** Undefined if the run has not begun. */
async function statusOf(path: string): Promise<RunStatus | undefined> {
  if (!existsSync(join(path, FILES.info))) return undefined;
  const run = await RunDirectory.open(path);
  return (await run.info()).status;
}
