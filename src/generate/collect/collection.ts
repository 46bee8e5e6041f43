import { join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, Outcome } from "../../core/interfaces/result.js";
import { DEFAULT_FPS, StepClock } from "../../dataset/lerobot/step-clock.js";
import { taskText } from "../../dataset/lerobot/task-text.js";
import { createLerobotWriter, type LerobotWriter } from "../../dataset/lerobot/writer.js";
import { writeSynced } from "../../dataset/write-file.js";
import { TaskSession } from "../../evaluator/execute/task-session.js";
import type { RunPlan, TaskPlan } from "../../evaluator/plan/prepare.js";
import { firstRun } from "../../evaluator/plan/queue.js";
import { notesOn } from "./notes.js";
import { type CollectOptions, sightOptions } from "./options.js";
import { Provenance } from "./provenance.js";
import type { Recording } from "./recording.js";
import { Recorder } from "./recording-agent.js";

export interface CollectionResult {
  readonly episodes: number;
  readonly frames: number;
  readonly fps: number;
  /** Number of episodes that ran and are not in the dataset, by outcome. */
  readonly left_out: Readonly<Record<Outcome, number>>;
  /** Names of the features, without the frame indices. */
  readonly features: readonly string[];
  /** Warnings and remarks for the user. */
  readonly notes: readonly string[];
}

/** A task with what is needed to run and record its episodes. */
interface TaskSetup {
  readonly plan: TaskPlan;
  readonly session: TaskSession;
  readonly recorder: Recorder;
}

/** Collects the episodes in dataset order, one at a time, to hold only one in memory. */
export class Collection {
  readonly #plan: RunPlan;
  readonly #options: CollectOptions;
  readonly #folder: string;
  readonly #provenance: Provenance;
  readonly #counts: Record<Outcome, number> = { success: 0, failure: 0, invalid: 0 };
  readonly #leftOut: Record<Outcome, number> = { success: 0, failure: 0, invalid: 0 };
  #clock: number | undefined;
  #features: readonly string[] = [];
  #hasArguments = false;
  #writer: LerobotWriter | undefined;

  /** @param folder an existing, empty folder */
  constructor(plan: RunPlan, options: CollectOptions, folder: string) {
    this.#plan = plan;
    this.#options = options;
    this.#folder = folder;
    this.#provenance = new Provenance(plan, options);
  }

  async run(): Promise<CollectionResult> {
    const setups: TaskSetup[] = [];
    try {
      for (const task of this.#plan.tasks) setups.push(await this.#open(task));
      checkSameActions(setups);
      this.#options.onEvent?.({
        type: "started",
        runId: "",
        runDir: this.#options.out,
        total: this.#total,
        done: 0,
        warnings: this.#plan.warnings,
      });
      for (const setup of setups) {
        for (const episode of setup.plan.episodes) await this.#record(setup, episode);
      }
      return await this.#finish(setups);
    } finally {
      await this.#writer?.close();
      await Promise.all(setups.map(({ session }) => session.close()));
    }
  }

  get #total(): number {
    return this.#plan.tasks.reduce((sum, { episodes }) => sum + episodes.length, 0);
  }

  get #fps(): number {
    return this.#options.fps ?? this.#clock ?? DEFAULT_FPS;
  }

  async #open(task: TaskPlan): Promise<TaskSetup> {
    const { loaded, registries } = this.#plan;
    const sight = sightOptions(task, this.#options, loaded);
    const recorder = new Recorder(sight, this.#options.signal);
    const plan = { ...task, agent: recorder.around(task.agent) };
    const session = await TaskSession.open(plan, {
      registries,
      siblings: 1,
    });
    return { plan, session, recorder };
  }

  async #record({ plan, session, recorder }: TaskSetup, episode: BaseEpisode): Promise<void> {
    this.#stopIfAsked();
    const clock = new StepClock();
    const line = await session.run(firstRun(plan.task.name, episode), {
      seed: this.#plan.seed,
      onRecord: (record) => clock.add(record),
      now: () => performance.now(),
    });
    this.#stopIfAsked();
    const recording = recorder.take();
    if (recording && this.#keeps(line)) {
      this.#clock ??= clock.rate;
      await this.#keep(recording, line, taskText(episode, plan.task.name));
    } else {
      this.#leftOut[line.outcome]++;
      this.#provenance.leaveOut(line);
    }
    this.#counts[line.outcome]++;
    const { success, failure, invalid } = this.#counts;
    this.#options.onEvent?.({
      type: "episode",
      line,
      done: success + failure + invalid,
      total: this.#total,
      counts: this.#counts,
      running: () => undefined,
    });
  }

  /** An episode whose first action was rejected has no frame to keep. */
  #keeps({ outcome, steps }: EpisodeLine): boolean {
    if (outcome === "invalid" || steps === 0) return false;
    return outcome === "success" || this.#options.keep === "all";
  }

  async #keep(recording: Recording, line: EpisodeLine, task: string): Promise<void> {
    if (!this.#writer) {
      const features = await recording.features();
      this.#features = Object.keys(features);
      const shape = { fps: this.#fps, robotType: robotType(this.#plan), features };
      const { lerobotVersion } = this.#options;
      this.#writer = await createLerobotWriter(this.#folder, shape, lerobotVersion);
    }
    // An action that the simulator rejects ends the episode and has no frame.
    const frames = await recording.frames(line.actions ?? line.steps);
    await this.#writer.add({ name: line.episode_key, task, ...frames });
    this.#hasArguments ||= recording.hasArguments;
    this.#provenance.add(line);
  }

  async #finish(setups: readonly TaskSetup[]): Promise<CollectionResult> {
    if (!this.#writer) throw this.#nothing();
    const totals = await this.#writer.finish();
    await writeSynced(
      join(this.#folder, "meta", "robot_eval.json"),
      `${JSON.stringify(this.#provenance.toDict(), null, 2)}\n`,
    );
    return {
      ...totals,
      fps: this.#fps,
      left_out: this.#leftOut,
      features: this.#features,
      notes: notesOn({
        options: this.#options,
        features: this.#features,
        tasks: setups.map(({ plan, session }) => ({ plan, simulator: session.simulator })),
        hasClock: this.#clock !== undefined,
        hasArguments: this.#hasArguments,
        invalid: this.#provenance.leftOut.filter(({ outcome }) => outcome === "invalid"),
      }),
    };
  }

  #nothing(): RobotEvalError {
    const { failure, invalid } = this.#counts;
    const [first] = this.#provenance.leftOut;
    const why = first ? `; the first, ${first.episode_key}: ${first.explanation}` : "";
    return new RobotEvalError(
      "nothing_collected",
      `${this.#plan.agentSpec} produced no episode to write: ${failure} episodes failed and ${invalid} were invalid${why}`,
      {
        where: this.#options.out,
        hint:
          failure > 0 && this.#options.keep !== "all"
            ? "choose an agent that succeeds, or keep its failures with --keep all"
            : "run it with `robot-eval run`, which writes a log",
      },
    );
  }

  #stopIfAsked(): void {
    if (!this.#options.signal?.aborted) return;
    throw new RobotEvalError("interrupted", "interrupted; nothing was written", { exitCode: 130 });
  }
}

/** Checks that all tasks have the same actions, which one dataset requires. */
function checkSameActions(setups: readonly TaskSetup[]): void {
  const spaces = setups.flatMap(({ session }) => session.simulator?.actionSpace ?? []);
  const kinds = new Set(spaces.map(({ actions, shape }) => JSON.stringify([actions, shape])));
  if (kinds.size <= 1) return;
  const tasks = setups.map(({ plan }) => plan.task.name);
  throw new ConfigError("mixed_actions", `the tasks ${tasks.join(", ")} have different actions`, {
    hint: "a LeRobot dataset has one kind of action: write a benchmark for each task and collect them separately",
  });
}

function robotType({ tasks }: RunPlan): string {
  const named = tasks.find(({ task }) => typeof task.config.robot_type === "string");
  if (named) return String(named.task.config.robot_type);
  return `robot-eval ${tasks[0]?.simulatorName ?? "unknown"} agent`;
}
