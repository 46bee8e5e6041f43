import type { LoadedConfig } from "../../config/load.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, errorMessage, StopRunError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import { maxStepsOf } from "../../tasks/config.js";
import { makeAgent, TaskSession, timeoutMs } from "../execute/task-session.js";
import { prepareRun, type RunPlan, type TaskPlan } from "../plan/prepare.js";
import { firstRun } from "../plan/queue.js";
import { fittingTask, namedTask } from "./choose-task.js";
import {
  absoluteOrDelta,
  type Finding,
  limits,
  pace,
  readiness,
  repeatability,
  variety,
} from "./findings.js";
import { hasStop, Watch, type Watched } from "./watch.js";

export interface ProbeOptions {
  /** The policy, as for `--agent`. */
  readonly agent: string;
  /** The task's name in the benchmark. Default: the first that fits what the policy declares. */
  readonly task?: string | undefined;
  /** Number of actions in each of the two episodes. */
  readonly steps: number;
}

export interface ProbeReport {
  readonly agent: string;
  readonly task: string;
  readonly healthy: boolean;
  /** The policy's metadata from the handshake. */
  readonly peer: Readonly<Record<string, unknown>> | null;
  readonly findings: readonly Finding[];
}

/** Connects to a policy, runs one episode with it twice, and reports what is wrong. */
export async function probePolicy(
  loaded: LoadedConfig,
  { agent, task, steps }: ProbeOptions,
): Promise<ProbeReport> {
  const registries = createRegistries();
  const selected = task === undefined ? loaded : oneTask(loaded, namedTask(loaded, task));
  const plan = await prepareRun(selected, { registries, agent, first: 1 });
  const connect = (candidate: TaskPlan) => makeAgent(candidate, { registries, siblings: 1 });
  const taskPlan = await fittingTask(plan.tasks, task === undefined ? agent : "", connect);
  const { name } = taskPlan.task;
  const [episode] = taskPlan.episodes;
  if (!episode) throw new ConfigError("no_episodes", `the task ${name} has no episode`);
  const watch = new Watch(steps);
  const { actionSpace } = taskPlan.task.instance;
  const tried = hasStop(actionSpace) ? episode : shortened(episode, steps);
  const findings = await tryOut(plan, taskPlan, tried, watch);
  return {
    agent,
    task: name,
    healthy: findings.every(({ status }) => status !== "failed"),
    peer: watch.peer ?? null,
    findings,
  };
}

async function tryOut(
  plan: RunPlan,
  taskPlan: TaskPlan,
  episode: BaseEpisode,
  watch: Watch,
): Promise<Finding[]> {
  const started = performance.now();
  let session: TaskSession;
  try {
    session = await TaskSession.open(
      { ...taskPlan, agent: watch.around(taskPlan.agent) },
      { registries: plan.registries, siblings: 1 },
    );
  } catch (error) {
    return [{ name: "connection", status: "failed", text: errorMessage(error) }];
  }
  const connected = `answered after ${Math.round(performance.now() - started)} ms`;
  const findings: Finding[] = [{ name: "connection", status: "ok", text: connected }];
  let stepsPerAction = 1;
  try {
    for (let round = 0; round < 2; round++) {
      const line = await session.run(firstRun(taskPlan.task.name, episode), {
        seed: plan.seed,
        onRecord: () => {},
        now: () => performance.now(),
      });
      if (line.fault) {
        const last = watch.episodes.at(-1);
        if (last) findings.push(...readiness(last));
        return [...findings, { name: "episode", status: "failed", text: line.explanation }];
      }
      stepsPerAction = Math.max(1, line.steps / Math.max(1, line.actions ?? line.steps));
    }
  } catch (error) {
    // An error that would stop a run is a finding of the probe.
    if (!(error instanceof StopRunError)) throw error;
    return [...findings, { name: "episode", status: "failed", text: errorMessage(error) }];
  } finally {
    await session.close();
  }
  const [first, second] = watch.episodes;
  return first && second
    ? [...findings, ...findingsOf(first, second, taskPlan, stepsPerAction)]
    : findings;
}

function findingsOf(
  first: Watched,
  second: Watched,
  { task, episodes }: TaskPlan,
  stepsPerAction: number,
): Finding[] {
  const [episode] = episodes;
  const { config } = episode ? task.taskFor(episode) : task.instance;
  const actions = Math.ceil(maxStepsOf(config) / stepsPerAction);
  const allowance = { actions, timeoutMs: timeoutMs({ config }) };
  return [
    ...readiness(first),
    pace(first, allowance),
    variety(first),
    limits(first),
    absoluteOrDelta(first, task.instance.conventions),
    repeatability(first, second),
  ].filter((finding) => finding !== undefined);
}

function oneTask(loaded: LoadedConfig, name: string): LoadedConfig {
  const tasks = loaded.config.tasks.filter((task) => task.name === name);
  return { ...loaded, config: { ...loaded.config, tasks } };
}

function shortened(episode: BaseEpisode, steps: number): BaseEpisode {
  const dict = episode.toDict();
  return BaseEpisode.fromDict({ ...dict, sim_params: { ...dict.sim_params, max_steps: steps } });
}
