import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { RunDuel, RunInfo, RunLabels } from "../../core/interfaces/result.js";
import type { PolicyIdentities } from "../../core/policy-identity.js";
import { slug, timeStamp } from "../../runs/directory/file-names.js";
import { freeRunId, takeRunId } from "../../runs/directory/run-id.js";
import { withConfigMac } from "../../runs/directory/run-key.js";
import { labelsOf } from "../../runs/directory/run-labels.js";
import { versions } from "../../runs/directory/versions.js";
import { recordedConfig } from "../../runs/recorded/recorded-config.js";
import { parityOf } from "../plan/frozen-worlds.js";
import type { PrepareOptions, RunPlan } from "../plan/prepare.js";
import { sensorNames } from "../plan/sensors.js";

/**
 * The content of run.json at the start of a run.
 *
 * @param parent folder of the run directory; the run id is reserved in it. null if nothing is written
 */
export async function newRunInfo(
  plan: RunPlan,
  options: RunInfoOptions,
  parent: string | null,
  { warnings, policies = {} }: NewRun,
): Promise<RunInfo> {
  const { loaded, agentSpec, seed, tasks } = plan;
  const { limit, first, filter, shard, runId } = options;
  const started = new Date();
  const { name } = loaded.config.benchmark;
  const parity = await parityOf(plan);
  const stamp = timeStamp(started);
  const base = `${stamp}-${slug(name)}-${slug(agentSpec)}`;
  return withConfigMac({
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
      ...(first === undefined ? {} : { first }),
      ...(filter === undefined ? {} : { filter }),
      ...(shard === undefined ? {} : { shard }),
    },
    data: Object.fromEntries(tasks.map(({ task, data }) => [task.name, data])),
    seed,
    agent: agentSpec,
    ...labelsOf({ name: options.name, tags: options.tags, policies }),
    disclosed: Object.fromEntries(tasks.map(({ task, disclosed }) => [task.name, disclosed])),
    sensors: sensorNames(tasks),
    versions: versions(loaded.config.simulator.engine),
    ...(parity.verdicts.length > 0 ? { parity: parity.verdicts } : {}),
    started_at: started.toISOString(),
    finished_at: null,
    warnings: [...plan.warnings, ...parity.warnings, ...warnings],
    ...(options.duel ? { duel: options.duel } : {}),
  });
}

/** What is known of a run when it begins. */
export interface NewRun {
  /** In addition to the plan's. */
  readonly warnings: readonly string[];
  /** What the policies say that they are; absent if they are not connected yet. */
  readonly policies?: PolicyIdentities | undefined;
}

export interface RunInfoOptions
  extends Pick<PrepareOptions, "limit" | "first" | "filter" | "shard">,
    RunName {
  readonly duel?: RunDuel | undefined;
}

export interface RunName extends Pick<RunLabels, "name" | "tags"> {
  /** Name of the run directory. Default: time, benchmark and agent. */
  readonly runId?: string | undefined;
}

async function idIn(parent: string | null, base: string, chosen?: string): Promise<string> {
  if (parent === null) return chosen ?? base;
  return chosen === undefined ? freeRunId(parent, base) : takeRunId(parent, chosen);
}

/** The config with the agent and seed of the command line, so that run.json alone describes the run. */
export function withOverrides(
  document: Readonly<Record<string, unknown>>,
  agent: string,
  seed: number,
) {
  const evaluation = document.evaluation as Readonly<Record<string, unknown>>;
  return { ...document, evaluation: { ...evaluation, seed }, agent };
}
