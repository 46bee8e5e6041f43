import { TrajectoryBuffer } from "../runs/trajectory.js";
import type { EpisodeFault, EpisodeResult } from "./crew.js";
import type { TaskPlan } from "./prepare.js";
import type { Job } from "./queue.js";
import { Slot, type SlotTools } from "./slot.js";

/** What is the same for all episodes of a run. */
export interface LaneSettings {
  /** The benchmark's. */
  readonly seed: number;
  readonly savesTrajectories: boolean;
}

/** A slot for each task, of which one at a time is at work. Lanes of a thread take turns. */
export class Lane {
  readonly #slots: readonly Slot[];

  private constructor(slots: readonly Slot[]) {
    this.#slots = slots;
  }

  static async open(tasks: readonly TaskPlan[], tools: SlotTools): Promise<Lane> {
    const slots: Slot[] = [];
    try {
      for (const task of tasks) slots.push(await Slot.open(task, tools));
      return new Lane(slots);
    } catch (error) {
      await closeAll(slots);
      throw error;
    }
  }

  get missingSensors(): readonly string[] {
    return this.#slots.flatMap(missingSensors);
  }

  async run(job: Job, settings: LaneSettings): Promise<EpisodeResult> {
    const slot = this.#slots.find(({ plan }) => plan.judged.name === job.task);
    if (!slot) throw new Error(`there is no slot for the task ${job.task}`);
    const steps = settings.savesTrajectories ? new TrajectoryBuffer(job.episode) : undefined;
    const faults: EpisodeFault[] = [];
    const line = await slot.run(job, {
      seed: settings.seed,
      onRecord: (record) => steps?.add(record),
      onFault: (_, fault, error) => faults.push({ fault, error: textOf(error) }),
      now: () => performance.now(),
    });
    return { line, steps: line.initial_state_hash === null ? undefined : steps, faults };
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
  try {
    while (lanes.length < count) lanes.push(await Lane.open(tasks, { ...tools, lanes: count }));
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
