import { basename, join } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { makeFolder } from "../../config/output-path.js";
import { programRegistries } from "../../registry/default.js";
import type { Registries } from "../../registry/registries.js";
import { slug, timeStamp } from "../../runs/directory/file-names.js";
import { freeRunId, takeRunId } from "../../runs/directory/run-id.js";
import type { StressAxis, StressReport } from "../../runs/stress/documents.js";
import { type PrepareOptions, prepareRun, type RunPlan } from "../plan/prepare.js";
import {
  runParts,
  type StressResult,
  type StressRunOptions,
  withPerturbation,
} from "./stress-parts.js";
import { planStress, type StressSelection } from "./stress-plan.js";

export interface StressOptions
  extends StressSelection,
    StressRunOptions,
    Pick<PrepareOptions, "agent" | "seed" | "limit" | "filter"> {
  /** Parent folder of the stress folder. Default: the benchmark's `log_dir`. */
  readonly outDir?: string | undefined;
  /** Name of the stress folder. Default: time, benchmark and agent. */
  readonly stressId?: string | undefined;
  /** Ends a level once its success is known this precisely; the baseline always runs completely. */
  readonly earlyStop?: StressReport["early_stop"] | undefined;
}

/**
 * Runs a benchmark unperturbed, then again for each level of each axis, and reports where the agent breaks. Every part
 * is an ordinary run directory in the stress folder.
 *
 * @example
 * const config = loadConfig("vln_challenge");
 * const { report } = await runStress(config, { agent: "noisy:0.2", axes: ["action_noise"] });
 * report.ranking[0]?.axis; // "action_noise"
 */
export async function runStress(
  loaded: LoadedConfig,
  options: StressOptions,
): Promise<StressResult> {
  const { registries = programRegistries(), earlyStop = null } = options;
  const { axes, expert } = await planStress(loaded, registries, options);
  const { agent, seed, limit, filter } = options;
  const plan = await prepareRun(loaded, { registries, agent, seed, limit, filter });
  // A wrong setting, or an episode that a file lacks, is reported before the first run.
  for (const { axis, levels, settings } of axes) {
    const [first] = levels;
    if (!first || Object.keys(settings).length === 0) continue;
    const perturbed = withPerturbation(loaded, { axis, level: first.level, settings }, null);
    await prepareRun(perturbed, { registries, agent, seed, limit, filter });
  }
  const parent = options.outDir ?? loaded.config.output.log_dir;
  const folder = join(parent, await stressId(parent, plan, options.stressId));
  makeFolder(folder);
  const draft: StressReport = {
    format: "robot-eval-stress/1",
    stress_id: basename(folder),
    status: "running",
    benchmark: loaded.config.benchmark.name,
    agent: plan.agentSpec,
    seed: plan.seed,
    started_at: new Date().toISOString(),
    finished_at: null,
    baseline: {
      ...{ run: "baseline", status: "waiting", total: 0, invalid: 0 },
      ...{ success: null, ci95: null, ci_method: "none" },
    },
    axes,
    ranking: [],
    tests: 0,
    early_stop: earlyStop,
    notes: notesOf(plan, axes, registries),
  };
  const run = { loaded, expert, selection: { limit, filter } };
  return runParts(folder, draft, run, options);
}

async function stressId(
  parent: string,
  plan: RunPlan,
  chosen: string | undefined,
): Promise<string> {
  if (chosen !== undefined) return takeRunId(parent, chosen);
  const stamp = timeStamp();
  const name = slug(plan.loaded.config.benchmark.name);
  return freeRunId(parent, `${stamp}-stress-${name}-${slug(plan.agentSpec)}`);
}

function notesOf(
  plan: RunPlan,
  axes: readonly StressAxis[],
  { axes: known }: Registries,
): string[] {
  const privileged = plan.tasks.filter(({ agent }) => agent.privileged === true);
  const observed = axes.filter(({ axis }) => known.get(axis).isObserved === true);
  if (privileged.length === 0 || observed.length === 0) return [];
  const agents = [...new Set(privileged.map(({ agentRef }) => agentRef.name))];
  return [
    `${agents.join(", ")} may read the simulator's state instead of observations, so ${observed.map(({ axis }) => axis).join(", ")} may have no effect`,
  ];
}
