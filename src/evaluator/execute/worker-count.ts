import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { ConfigError, show } from "../../core/errors.js";
import type { AgentFactory } from "../../core/interfaces/agent.js";
import { registeredInProgram } from "../../registry/default.js";
import type { Registries } from "../../registry/registries.js";
import type { RunPlan } from "../plan/prepare.js";

/** The entry module of a worker thread. */
export const WORKER_ENTRY = new URL("./worker-main.js", import.meta.url);

/**
 * Minimum number of episodes per worker with `auto`. A worker starts in about 0.5 s, the time of a few hundred
 * graph episodes or of one with cameras. An extra worker costs at most that; a missing one costs a large part
 * of the run.
 */
export const AUTO_EPISODES = 8;

export interface WorkerOptions {
  /**
   * What names mean. Default: the built-ins and what this program added by `registerTask` and `registerMetric`. Pass
   * `createRegistries()` for an evaluation without the program's additions.
   */
  readonly registries?: Registries | undefined;
  /**
   * Number of worker threads. Absent or 1: only the calling thread. `auto`: one per core, if there are enough
   * episodes and threads are possible. Each thread loads the benchmark's plugins itself, so more than 1 is an
   * error if `registries` are given, or if the benchmark uses a task or metric of `registerTask` or `registerMetric`.
   */
  readonly workers?: number | "auto" | undefined;
}

/** What decides the number of threads. */
export interface Workload {
  readonly episodes: number;
  readonly agents?: readonly Pick<AgentFactory, "threads">[];
  /** What the benchmark uses of the program's own registrations; see `registeredInPlan`. */
  readonly inProgram?: readonly string[];
}

/** What the plan uses of the program's own registrations. */
export function registeredInPlan({ tasks }: RunPlan): readonly string[] {
  return registeredInProgram(tasks.map(({ task }) => task));
}

/** Number of threads that run episodes; 1 means the calling thread. */
export function workerCount(
  { workers = 1, registries }: WorkerOptions,
  { episodes, agents = [], inProgram = [] }: Workload,
  entry: URL = WORKER_ENTRY,
): number {
  const obstacle = obstacleToWorkers(registries, { agents, inProgram }, fileURLToPath(entry));
  if (workers === "auto") {
    if (obstacle || agents.some(({ threads }) => threads === "asked")) return 1;
    return Math.max(1, Math.min(availableParallelism(), Math.floor(episodes / AUTO_EPISODES)));
  }
  checkCount(workers, "workers");
  if (workers > 1 && obstacle) throw obstacle;
  return Math.max(1, Math.min(workers, episodes));
}

export function checkCount(count: number, what: "workers" | "concurrency"): void {
  if (Number.isInteger(count) && count > 0) return;
  throw new ConfigError(`bad_${what}`, `${what} is ${show(count)}`, {
    where: `--${what}`,
    hint: "give a whole number above 0",
  });
}

function obstacleToWorkers(
  registries: Registries | undefined,
  { agents, inProgram }: Required<Omit<Workload, "episodes">>,
  program: string,
): ConfigError | undefined {
  if (agents.some(({ threads }) => threads === "one")) {
    return refusal(
      "policies that connect to the evaluator can only reach one thread",
      "use concurrency to run several episodes in it",
    );
  }
  if (registries) {
    return refusal(
      "the given registries cannot be passed to worker threads",
      "register through a module named under plugins: in the benchmark, and leave registries out",
    );
  }
  if (inProgram.length > 0) {
    return refusal(
      `${areInProgram(inProgram)}, which worker threads do not run`,
      "register in a module named under plugins: in the benchmark",
    );
  }
  if (!existsSync(program)) {
    return refusal(
      `the worker module does not exist: ${program}`,
      "keep robot-eval out of your bundle: bundlers that write one file omit the worker module",
    );
  }
  return undefined;
}

/** Why a run without a given number of workers uses one thread; empty if this is not because of registrations. */
export function oneThreadNotice({ workers, registries }: WorkerOptions, plan: RunPlan): string[] {
  const inProgram = registeredInPlan(plan);
  if (registries || inProgram.length === 0 || (workers !== undefined && workers !== "auto")) {
    return [];
  }
  const them = inProgram.length === 1 ? "it" : "them";
  return [
    `${areInProgram(inProgram)}, so all episodes run in the calling thread; register ${them} in a module under plugins: to use several workers`,
  ];
}

function areInProgram(names: readonly string[]): string {
  return `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} registered in this program`;
}

function refusal(why: string, remedy: string): ConfigError {
  const hint = `${remedy}; or leave workers at 1`;
  return new ConfigError("workers_refused", why, { where: "workers", hint });
}
