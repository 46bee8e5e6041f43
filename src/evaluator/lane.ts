import type { StepRecord } from "../core/interfaces/step.js";
import { TrajectoryBuffer } from "../runs/trajectory.js";
import type { EpisodeFault, EpisodeResult } from "./crew.js";
import type { TaskPlan } from "./prepare.js";
import type { Job } from "./queue.js";
import { Slot, type SlotTools } from "./slot.js";
import { isFilmed, type VideoChoice } from "./video/film.js";
import { Filmmaker } from "./video/filmmaker.js";
import { GeometryReader, type ToldGeometry } from "./world-geometry.js";

/** What is the same for all episodes of a run. */
export interface LaneSettings {
  /** The benchmark's. */
  readonly seed: number;
  readonly savesTrajectories: boolean;
  /** With trajectories, what worlds look like whose simulators alone know it. */
  readonly keepsGeometry?: boolean | undefined;
  /** Of which episodes films are made, once they are over; of none if absent. */
  readonly video?: VideoChoice | undefined;
  /** For what simulators write; known when the run has begun. */
  readonly logFolder?: Promise<string> | undefined;
}

/** A slot for each task, of which one at a time is at work. Lanes of a thread take turns. */
export class Lane {
  readonly #slots: readonly Slot[];
  readonly #filmmakers: ReadonlyMap<Slot, Filmmaker>;
  readonly #geometry: GeometryReader;

  private constructor(slots: readonly Slot[], geometry: GeometryReader) {
    this.#slots = slots;
    this.#geometry = geometry;
    this.#filmmakers = new Map(slots.map((slot) => [slot, new Filmmaker(slot.plan)]));
  }

  static async open(
    tasks: readonly TaskPlan[],
    tools: SlotTools,
    geometry: GeometryReader,
  ): Promise<Lane> {
    const slots: Slot[] = [];
    try {
      for (const task of tasks) slots.push(await Slot.open(task, tools));
      return new Lane(slots, geometry);
    } catch (error) {
      await closeAll(slots);
      throw error;
    }
  }

  get missingSensors(): readonly string[] {
    return this.#slots.flatMap(missingSensors);
  }

  /**
   * @param onJudged is told of an episode that is over and about to be filmed: its result stands, whatever
   *   becomes of the film
   */
  async run(
    job: Job,
    settings: LaneSettings,
    onJudged?: (result: EpisodeResult) => Promise<void>,
  ): Promise<EpisodeResult> {
    const slot = this.#slots.find(({ plan }) => plan.judged.name === job.task);
    if (!slot) throw new Error(`there is no slot for the task ${job.task}`);
    const steps = settings.savesTrajectories ? new TrajectoryBuffer(job.episode) : undefined;
    const { video = "none" } = settings;
    const records: StepRecord[] = [];
    const faults: EpisodeFault[] = [];
    let geometry: ToldGeometry | undefined;
    const line = await slot.run(job, {
      seed: settings.seed,
      onRecord: (record) => {
        steps?.add(record);
        if (video !== "none") records.push(record);
      },
      onFault: (_, fault, error) => faults.push({ fault, error: textOf(error) }),
      onOver: async (simulator) => {
        if (steps && settings.keepsGeometry) geometry = await this.#geometry.of(simulator);
      },
      now: () => performance.now(),
    });
    const began = line.initial_state_hash !== null;
    const result = { line, steps: began ? steps : undefined, faults, geometry };
    const filmmaker = this.#filmmakers.get(slot);
    if (!filmmaker || !isFilmed(line, video)) return result;
    await onJudged?.(result);
    return { ...result, film: await filmmaker.film({ episode: job.episode, line, records }) };
  }

  close(): Promise<void> {
    return closeAll(this.#slots);
  }
}

/** Lanes that are alike; all of them, or an error and none. */
export async function openLanes(
  count: number,
  tasks: readonly TaskPlan[],
  tools: Omit<SlotTools, "lanes">,
): Promise<readonly Lane[]> {
  const lanes: Lane[] = [];
  const geometry = new GeometryReader();
  try {
    while (lanes.length < count) {
      lanes.push(await Lane.open(tasks, { ...tools, lanes: count }, geometry));
    }
    return lanes;
  } catch (error) {
    await closeAll(lanes);
    throw error;
  }
}

async function closeAll(things: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.all(things.map((thing) => thing.close()));
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function missingSensors({ plan, simulator }: Slot): string[] {
  const missing = simulator?.missingSensors ?? [];
  if (missing.length === 0) return [];
  return [`${plan.judged.name}: the ${plan.simulatorName} simulator has no ${missing.join(", ")}`];
}
