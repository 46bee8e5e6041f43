import { ConfigError, DataError } from "../../../core/errors.js";
import { type ColorImage, isImage } from "../../../core/interfaces/observation.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { BaseSimulator } from "../../../core/interfaces/simulator.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import { lineName } from "../../../runs/directory/line-name.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { savedTrajectory } from "../../../runs/directory/trajectory.js";
import { makeSimulator } from "../../execute/task-session.js";
import type { RunPlan, TaskPlan } from "../../plan/prepare.js";
import { cameraConfig } from "../../record/video/cameras.js";
import { isSameEnd } from "../../record/video/same-end.js";
import { checkWasRun, readRecordedRun } from "./recorded-run.js";
import { type ReplayPermissions, replayPlan } from "./replay-plan.js";

interface TaskCameras {
  readonly plan: TaskPlan;
  readonly simulator: BaseSimulator;
  readonly names: readonly string[];
}

/**
 * The images of a run's colour cameras, rendered again by replaying the recorded actions. Simulators start with the
 * first episode of their task.
 */
export class ImageReplay {
  readonly #tasks = new Map<string, TaskCameras>();
  #plan: Promise<RunPlan> | undefined;

  constructor(
    private readonly path: string,
    private readonly permissions: ReplayPermissions = {},
  ) {}

  /** The images of each state in which an action was taken, by camera, one state at a time. */
  async *framesOf(line: EpisodeLine): AsyncGenerator<ReadonlyMap<string, ColorImage>> {
    const { plan, simulator, names } = await this.#camerasOf(line.task);
    const { episode, records } = await savedTrajectory(new RunDirectory(this.path), line);
    const world = new JudgedSimulator(simulator, plan.task.taskFor(episode));
    let frame = await world.reset(episode, { seed: line.seed });
    for (const { action } of records.slice(1)) {
      if (action === null) continue;
      const { observation } = frame;
      yield new Map(names.map((name) => [name, imageIn(observation[name], name, line)]));
      frame = await world.step(action);
    }
    if (isSameEnd(records, frame.state)) return;
    throw new DataError(
      "different_replay",
      `${lineName(line.episode_key, line.repeat)} replays differently, so its images would be of another episode`,
      {
        where: this.path,
        hint: "leave out --images, or see what differs with `robot-eval replay`",
      },
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tasks.values()].map(({ simulator }) => simulator.close()));
  }

  async #camerasOf(task: string): Promise<TaskCameras> {
    const known = this.#tasks.get(task);
    if (known) return known;
    this.#plan ??= this.#prepare();
    const plan = (await this.#plan).tasks.find((one) => one.task.name === task);
    const { config, names } = plan ? cameraConfig(plan) : { config: {}, names: [] };
    const simulator = plan && names.length > 0 ? await makeSimulator(plan, config) : undefined;
    if (!plan || !simulator) {
      throw new ConfigError("no_cameras", `${task} has no colour camera to replay`, {
        where: "--images",
        hint: "leave out --images, or export a task whose benchmark has rgb cameras with --task",
      });
    }
    const cameras = { plan, simulator, names };
    this.#tasks.set(task, cameras);
    return cameras;
  }

  async #prepare(): Promise<RunPlan> {
    const run = await RunDirectory.open(this.path);
    const info = await run.info();
    checkWasRun(run, info, "replay");
    const recorded = await readRecordedRun(run, () => true);
    return replayPlan(run, info, recorded, this.permissions, { keepsSensors: true });
  }
}

function imageIn(value: unknown, name: string, { task }: EpisodeLine): ColorImage {
  if (isImage(value) && value.kind === "rgb") return value;
  throw new DataError("no_image", `the camera ${name} of ${task} gives no colour image`, {
    hint: "leave out --images",
  });
}
