import { ConfigError } from "../../core/errors.js";
import type { EpisodeLine, RunStatus } from "../../core/interfaces/result.js";
import type { PairedRun } from "../execute/run-episodes.js";
import { keysOf } from "../plan/jobs.js";
import type { RunPlan } from "../plan/prepare.js";
import type { Job } from "../plan/queue.js";
import type { TaskStop } from "../record/task-stop.js";
import type { DuelDocument, DuelSettings } from "./duel-document.js";
import { DuelQueue } from "./duel-queue.js";
import { resultsOf } from "./duel-results.js";
import { DuelState, type DuelTask } from "./duel-state.js";
import { DuelStop } from "./duel-stop.js";

/** Joins the runs of a duel: each asks it what to run and when to stop. */
export class Duel {
  #state: DuelState | undefined;
  #plan: RunPlan | undefined;

  constructor(
    readonly settings: DuelSettings /** Episodes that a policy may run ahead of the comparison. */,
    private readonly window: number /** Lines of policies that were run before, by position. */,
    private readonly recorded: RecordedPolicies,
  ) {}

  /** Called when the run of a policy has its plan. */
  join(policy: number, plan: RunPlan, jobs: readonly Job[]): PairedRun {
    const tasks = plan.tasks.map((task) => taskOf(plan, task.task.name, jobs, this.settings));
    const state = this.#state ?? this.#begin(plan, tasks);
    return {
      stops: this.#stopsOf(policy, plan, tasks, state),
      makeQueue: (left) => new DuelQueue(state, policy, left, this.window),
      settled: (signal) =>
        state.until(() => tasks.every(({ name }) => state.isOverFor(policy, name)), signal),
    };
  }

  #begin(plan: RunPlan, tasks: readonly NamedDuelTask[]): DuelState {
    const { policies, margin, alpha } = this.settings;
    const state = new DuelState({
      ...{ tasks, policies: policies.length, margin: margin ?? undefined, alpha },
    });
    this.#state = state;
    this.#plan = plan;
    for (const [policy, lines] of this.recorded) {
      const stops = this.#stopsOf(policy, plan, tasks, state);
      const { repeats } = plan.loaded.config.evaluation;
      const complete = lines.filter(({ repeat }) => repeat === repeats - 1);
      const there = new Set(complete.map(({ episode_key }) => episode_key));
      for (const line of lines) stops.get(line.task)?.offer(line);
      // Episodes that the recorded run lacks are not compared.
      for (const { name, order } of tasks) {
        const missing = order.filter((key) => !there.has(key));
        for (const key of missing) {
          state.offer(policy, name, key, { value: undefined, isSolved: false });
        }
      }
    }
    return state;
  }

  #stopsOf(
    policy: number,
    plan: RunPlan,
    tasks: readonly NamedDuelTask[],
    state: DuelState,
  ): ReadonlyMap<string, TaskStop> {
    const { policies } = this.settings;
    const against = policies.flatMap(({ agent }, i) => (i === policy ? [] : [agent]));
    const stops = tasks.map(({ name, order, metric, kind }) => {
      const side = {
        offer: (key: string, value: Parameters<DuelState["offer"]>[3]) =>
          state.offer(policy, name, key, value),
        get counted() {
          return state.counted(policy, name);
        },
        get isOver() {
          return state.isOverFor(policy, name);
        },
      };
      const { repeats } = plan.loaded.config.evaluation;
      const ownKind = kind === "rate" ? "rate" : "mean";
      const options = { metric, kind: ownKind, against, order, repeats, side } as const;
      return [name, new DuelStop(options)] as const;
    });
    return new Map(stops);
  }

  /** Whether any pair of episodes has been compared. */
  get hasPairs(): boolean {
    return this.#state?.comparisons.some(({ sequence }) => sequence.count > 0) ?? false;
  }

  document(status: RunStatus): DuelDocument {
    return { ...this.settings, status, ...resultsOf(this.settings, this.#plan, this.#state) };
  }
}

type RecordedPolicies = ReadonlyMap<number, readonly EpisodeLine[]>;

interface NamedDuelTask extends DuelTask {
  readonly metric: string;
}

function taskOf(
  { tasks, loaded }: RunPlan,
  name: string,
  jobs: readonly Job[],
  settings: DuelSettings,
): NamedDuelTask {
  const { summaryTask } = tasks.find(({ task }) => task.name === name)?.task ?? {};
  const metric = settings.metric ?? summaryTask?.primaryMetric ?? "";
  const info = summaryTask?.metrics.find((one) => one.name === metric);
  const isRate = info?.kind === "rate" && loaded.config.evaluation.repeats === 1;
  return {
    ...{ name, metric, kind: isRate ? "rate" : "bounded" },
    order: keysOf(jobs, name),
    isLowerBetter: info?.direction === "lower",
  };
}

/** Rejects plans that a duel cannot decide. */
export function checkDuelPlan({ tasks, loaded }: RunPlan, metric: string | null): void {
  if (loaded.config.evaluation.early_stop) {
    throw new ConfigError("two_stops", "the benchmark has its own early stop", {
      where: loaded.locate(["evaluation", "early_stop"]),
      hint: "remove evaluation.early_stop: the duel decides when its runs stop",
    });
  }
  for (const { task } of tasks) {
    const { primaryMetric, metrics } = task.summaryTask;
    const name = metric ?? primaryMetric;
    const info = metrics.find((one) => one.name === name);
    if (!info) {
      throw new ConfigError("unknown_metric", `${task.name} does not report ${name}`, {
        where: "--metric",
        hint: `choose one of ${metrics.map((one) => one.name).join(", ")}`,
      });
    }
    const [low, high] = info.range ?? [];
    if (low === 0 && high === 1 && info.direction !== "none") continue;
    throw new ConfigError(
      "no_duel_metric",
      `${task.name} cannot be decided by ${name}: it ${info.direction === "none" ? "has no better direction" : "is not limited to 0 to 1"}`,
      { where: "--metric", hint: "choose a metric between 0 and 1, such as success" },
    );
  }
}
