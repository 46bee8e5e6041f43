import { benchmarkIndex } from "../../config/benchmark-index.js";
import type { LoadedConfig } from "../../config/load.js";
import { ConfigError, StopRunError } from "../../core/errors.js";
import type { Agent } from "../../core/interfaces/agent.js";
import type { TaskPlan } from "../plan/prepare.js";

/** Schemes of other projects' policy servers, which all serve robot arms: `openpi+ws://...`. */
const FOR_ARMS = /^(openpi|behavior|roboarena|vla-eval)\+wss?:/;

/** The task that was named, by its name or its type. */
export function namedTask(loaded: LoadedConfig, name: string): string {
  const { tasks } = loaded.config;
  const task = tasks.find((one) => one.name === name) ?? tasks.find((one) => one.type === name);
  if (task) return task.name;
  throw new ConfigError("unknown_task", `${loaded.file ?? "the benchmark"} has no task ${name}`, {
    where: "--task",
    hint: [`it has ${tasks.map((one) => one.name).join(", ")}`, ...benchmarksWith(name)].join("; "),
  });
}

/** Names the shipped benchmarks that have the task. */
function benchmarksWith(task: string): string[] {
  const having = benchmarkIndex().filter(({ tasks }) =>
    tasks.some(({ name, type }) => name === task || type === task),
  );
  return having.length > 0
    ? [`for ${task}, add ${having.map(({ name }) => `--benchmark ${name}`).join(" or ")}`]
    : [];
}

/**
 * Chooses the first task that fits what the policy declares: its conventions and its sensors. If none fits, the task
 * that lacks the fewest of its sensors, whose probe then says why not.
 */
export async function fittingTask(
  tasks: readonly TaskPlan[],
  agent: string,
  connect: (task: TaskPlan) => Promise<Agent>,
): Promise<TaskPlan> {
  const isForArms = FOR_ARMS.test(agent);
  const candidates = tasks.filter(
    ({ task }) => !isForArms || task.instance.family === "manipulation",
  );
  const [first, ...others] = candidates;
  if (!first) {
    throw new ConfigError(
      "no_fitting_task",
      `policies at ${agent.split(":")[0]}:// move robot arms, and the benchmark has no manipulation task`,
      {
        where: "--task",
        hint: `name the task to try: ${tasks.map(({ task }) => task.name).join(", ")}; or another --benchmark`,
      },
    );
  }
  if (others.length === 0) return first;
  let nearest = { task: first, lacking: Number.POSITIVE_INFINITY };
  for (const candidate of candidates) {
    let policy: Agent;
    try {
      policy = await connect(candidate);
    } catch (error) {
      // Conventions that differ are declared to the task; other errors are those of every task.
      if (error instanceof StopRunError) continue;
      return first;
    }
    const lacking = lackingSensors(policy, candidate);
    await policy.close?.();
    if (lacking === 0) return candidate;
    if (lacking < nearest.lacking) nearest = { task: candidate, lacking };
  }
  return nearest.task;
}

/** How many sensors that the policy requests the task does not have. */
function lackingSensors({ peer }: Agent, { sensors }: TaskPlan): number {
  const wanted: unknown = peer?.sensors;
  const received = sensors.received;
  if (!Array.isArray(wanted) || received === null) return 0;
  return wanted.filter((name) => !Object.hasOwn(received, String(name))).length;
}
