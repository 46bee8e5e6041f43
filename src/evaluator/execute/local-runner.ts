import type { StepRecord } from "../../core/interfaces/step.js";
import type { PolicyIdentities } from "../../core/policy-identity.js";
import { cleanLines } from "../../core/text.js";
import { TrajectoryBuffer } from "../../runs/directory/trajectory.js";
import type { TaskPlan } from "../plan/prepare.js";
import type { Job } from "../plan/queue.js";
import { isFilmed, type VideoChoice } from "../record/video/film.js";
import { Filmmaker } from "../record/video/filmmaker.js";
import { type SessionTools, TaskSession } from "./task-session.js";
import type { EpisodeFault, EpisodeResult } from "./worker-pool.js";
import { GeometryReader, type ReportedGeometry } from "./world-geometry.js";

/** Settings that all episodes of a run share. */
export interface RunnerSettings {
  /** The benchmark's seed. */
  readonly seed: number;
  readonly savesTrajectories: boolean;
  /** Also saves the geometry of worlds that only their simulator can describe. */
  readonly keepsGeometry?: boolean | undefined;
  /** Which episodes are filmed, after they have ended. Default none. */
  readonly video?: VideoChoice | undefined;
  /** Folder for simulator logs; resolves once the run directory exists. */
  readonly logFolder?: Promise<string> | undefined;
}

/** Called while an episode runs. */
export interface RunnerEvents {
  /** The simulator has reset the episode. */
  readonly onReset?: () => void;
  /** Called with the final result before the episode is filmed. A failed film does not change it. */
  readonly beforeFilm?: (result: EpisodeResult) => Promise<void>;
}

/** Runs episodes in this thread, one at a time. It has a session for each task of the benchmark. */
export class LocalRunner {
  readonly #sessions: readonly TaskSession[];
  readonly #filmmakers: ReadonlyMap<TaskSession, Filmmaker>;
  readonly #geometry: GeometryReader;

  private constructor(sessions: readonly TaskSession[], geometry: GeometryReader) {
    this.#sessions = sessions;
    this.#geometry = geometry;
    this.#filmmakers = new Map(sessions.map((session) => [session, new Filmmaker(session.plan)]));
  }

  static async open(
    tasks: readonly TaskPlan[],
    tools: SessionTools,
    geometry: GeometryReader,
  ): Promise<LocalRunner> {
    const sessions: TaskSession[] = [];
    try {
      for (const task of tasks) sessions.push(await TaskSession.open(task, tools));
      return new LocalRunner(sessions, geometry);
    } catch (error) {
      await closeAll(sessions);
      throw error;
    }
  }

  get missingSensors(): readonly string[] {
    return this.#sessions.flatMap(missingSensors);
  }

  get policies(): PolicyIdentities {
    const named = this.#sessions.flatMap(({ plan, identity }) =>
      identity === undefined ? [] : [[plan.task.name, identity] as const],
    );
    return Object.fromEntries(named);
  }

  async run(
    job: Job,
    settings: RunnerSettings,
    { onReset, beforeFilm }: RunnerEvents = {},
  ): Promise<EpisodeResult> {
    const session = this.#sessions.find(({ plan }) => plan.task.name === job.task);
    if (!session) throw new Error(`no session for the task ${job.task}`);
    const steps = settings.savesTrajectories ? new TrajectoryBuffer(job.episode) : undefined;
    const { video = "none" } = settings;
    const records: StepRecord[] = [];
    const faults: EpisodeFault[] = [];
    let geometry: ReportedGeometry | undefined;
    const line = await session.run(job, {
      seed: settings.seed,
      onRecord: (record) => {
        if (record.step === 0) onReset?.();
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
    const filmmaker = this.#filmmakers.get(session);
    if (!filmmaker || !isFilmed(line, video)) return result;
    await beforeFilm?.(result);
    return { ...result, film: await filmmaker.film({ episode: job.episode, line, records }) };
  }

  close(): Promise<void> {
    return closeAll(this.#sessions);
  }
}

/** Opens `count` equal runners. If one fails to open, the others are closed. */
export async function openRunners(
  count: number,
  tasks: readonly TaskPlan[],
  tools: Omit<SessionTools, "siblings">,
): Promise<readonly LocalRunner[]> {
  const runners: LocalRunner[] = [];
  const geometry = new GeometryReader();
  try {
    while (runners.length < count) {
      runners.push(await LocalRunner.open(tasks, { ...tools, siblings: count }, geometry));
    }
    return runners;
  } catch (error) {
    await closeAll(runners);
    throw error;
  }
}

async function closeAll(things: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.all(things.map((thing) => thing.close()));
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return cleanLines(text, MOST_FAULT);
}

/** Maximum length of a fault in the log. Policies and simulators control its text. */
const MOST_FAULT = 10_000;

function missingSensors({ plan, simulator }: TaskSession): string[] {
  const missing = simulator?.missingSensors ?? [];
  if (missing.length === 0) return [];
  return [`${plan.task.name}: the ${plan.simulatorName} simulator has no ${missing.join(", ")}`];
}
