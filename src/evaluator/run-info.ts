import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { RunInfo } from "../core/interfaces/result.js";
import { slug } from "../runs/file-names.js";
import { recordedConfig } from "../runs/recorded-config.js";
import { freeRunId, takeRunId } from "../runs/run-id.js";
import { versions } from "../runs/versions.js";
import type { PrepareOptions, RunPlan } from "./prepare.js";

/**
 * What run.json says at the start of a run.
 *
 * @param parent folder of the run directory, in which the run's id is taken from here on; null for none
 * @param warnings beside the plan's own
 */
export async function newRunInfo(
  plan: RunPlan,
  options: Pick<PrepareOptions, "limit" | "filter" | "shard"> & RunName,
  parent: string | null,
  warnings: readonly string[],
): Promise<RunInfo> {
  const { loaded, agentSpec, seed, tasks } = plan;
  const { limit, filter, shard, runId } = options;
  const started = new Date();
  const { name } = loaded.config.benchmark;
  const stamp = started.toISOString().replace(/[-:]|\.\d+/g, "");
  const base = `${stamp}-${slug(name)}-${slug(agentSpec)}`;
  return {
    format: "robot-eval-run/1",
    run_id: await idIn(parent, base, runId),
    status: "running",
    kind: "run",
    benchmark: {
      name,
      sha256: createHash("sha256").update(loaded.text).digest("hex"),
      file: resolve(loaded.file),
      ...(loaded.set.length > 0 ? { set: loaded.set } : {}),
    },
    config: withOverrides(recordedConfig(loaded), agentSpec, seed),
    selection: {
      ...(limit === undefined ? {} : { limit }),
      ...(filter === undefined ? {} : { filter }),
      ...(shard === undefined ? {} : { shard }),
    },
    data: Object.fromEntries(tasks.map((task) => [task.judged.name, task.data])),
    seed,
    agent: agentSpec,
    disclosed: Object.fromEntries(tasks.map((task) => [task.judged.name, task.disclosed])),
    versions: versions(),
    started_at: started.toISOString(),
    finished_at: null,
    warnings: [...plan.warnings, ...warnings],
  };
}

export interface RunName {
  /** The run directory's name; made of the time, the benchmark and the agent if absent. */
  readonly runId?: string | undefined;
}

async function idIn(parent: string | null, base: string, chosen?: string): Promise<string> {
  if (parent === null) return chosen ?? base;
  return chosen === undefined ? freeRunId(parent, base) : takeRunId(parent, chosen);
}

/** What the command line said in place of the file, so that run.json alone tells what ran. */
export function withOverrides(
  document: Readonly<Record<string, unknown>>,
  agent: string,
  seed: number,
) {
  const evaluation = document.evaluation as Readonly<Record<string, unknown>>;
  return { ...document, evaluation: { ...evaluation, seed }, agent };
}
