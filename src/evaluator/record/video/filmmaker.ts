import type { BaseEpisode } from "../../../core/episode/base.js";
import { errorMessage } from "../../../core/errors.js";
import {
  type ColorImage,
  isImage,
  type Observation,
} from "../../../core/interfaces/observation.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { BaseSimulator } from "../../../core/interfaces/simulator.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import { DeadlineError, within } from "../../execute/deadline.js";
import { makeSimulator } from "../../execute/task-session.js";
import type { TaskPlan } from "../../plan/prepare.js";
import { filmConfig, MAP, picturesIn } from "./cameras.js";
import { outcomeStrip, statusStrip } from "./captions.js";
import { type Encoders, threadEncoders } from "./choose-encoder.js";
import { FILM_LIMIT_MS, type Filming, type NoFilm } from "./film.js";
import type { FilmMap } from "./film-map.js";
import { makeFilmMap } from "./make-film-map.js";
import { FfmpegError } from "./mp4-film.js";
import { isShown, type Pacing, paceOf } from "./pacing.js";
import { isSameEnd } from "./same-end.js";
import { heightOf, MAP_ALONE_PX, Screen, sameHeight } from "./screen.js";

/** Display time of the last frame, which shows the outcome. */
const END_MS = 2000;
/** Maximum ratio of a map's width to its height. */
const MAP_SHAPE = 1.6;

const TOO_SLOW: NoFilm = {
  problem: `the film was aborted: it took longer than ${FILM_LIMIT_MS / 1000} s`,
  isLasting: false,
};

/** A finished episode. */
export interface Rollout {
  readonly episode: BaseEpisode;
  readonly line: EpisodeLine;
  readonly records: readonly StepRecord[];
}

/**
 * Films finished episodes of a task: only then is the outcome known, so that failures alone can be filmed. The
 * recorded actions are replayed in a simulator of the same kind with cameras, which gives the same states to
 * the bit.
 */
export class Filmmaker {
  #hopeless: NoFilm | undefined;
  #note: string | undefined;

  /** @param cameras names of cameras to show, and `map`; default: those of the benchmark, and the map */
  constructor(
    private readonly plan: TaskPlan,
    private readonly encoders: Encoders = threadEncoders,
    private readonly cameras?: readonly string[],
  ) {}

  /** Never throws: an error is part of the result. */
  async film(rollout: Rollout): Promise<Filming> {
    if (this.#hopeless) return this.#hopeless;
    try {
      return await this.#attempt(rollout);
    } catch (error) {
      if (error instanceof DeadlineError) return TOO_SLOW;
      const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { problem, isLasting: false };
    }
  }

  async #attempt(rollout: Rollout): Promise<Filming> {
    try {
      return await this.#shoot(rollout);
    } catch (error) {
      if (!(error instanceof FfmpegError)) throw error;
      this.encoders.giveUpFfmpeg();
      this.#note = `${errorMessage(error)}; films are animated WebP instead`;
      return this.#shoot(rollout);
    }
  }

  async #shoot(rollout: Rollout): Promise<Filming> {
    const simulator = await makeSimulator(this.plan, filmConfig(this.plan, this.cameras));
    if (!simulator) return this.#giveUp("no simulator serves the task");
    try {
      return await this.#shootIn(simulator, rollout);
    } finally {
      await simulator.close();
    }
  }

  async #shootIn(simulator: BaseSimulator, rollout: Rollout): Promise<Filming> {
    const { episode, line, records } = rollout;
    const deadline = performance.now() + FILM_LIMIT_MS;
    const inTime = <T>(work: T | Promise<T>) => within(deadline - performance.now(), work);
    const world = new JudgedSimulator(simulator, this.plan.task.taskFor(episode));
    let frame = await inTime(world.reset(episode, { seed: line.seed }));
    const cameras = this.#camerasIn(frame.observation);
    const images = imagesOf(frame.observation, cameras);
    if (this.cameras && images.length < cameras.length) {
      const there = picturesIn(frame.observation).join(", ") || "none";
      return this.#giveUp(`it has not all of the cameras ${cameras.join(", ")}, but: ${there}`);
    }
    const map = this.#showsMap ? await this.#makeFilmMap(rollout, images) : undefined;
    if (cameras.length === 0 && !map) {
      return this.#giveUp(
        `the ${this.plan.simulatorName} simulator gives no colour pictures and no positions`,
      );
    }
    const pacing = pacingOf(records);
    const steps = records.length - 1;
    const row = (observation: Observation) => rowOf(imagesOf(observation, cameras), map);
    const screen = await Screen.open(episode, await row(frame.observation));
    const encoder = await this.encoders.open(screen, pacing.frameMs);
    try {
      for (const [step, record] of records.entries()) {
        if (record.action !== null) frame = await inTime(world.step(record.action));
        map?.advance(record);
        if (!isShown(step, steps, pacing)) continue;
        const isLast = step === steps;
        const strip = isLast
          ? outcomeStrip(line, screen.width)
          : statusStrip(record, steps, pacing, screen.width);
        const picture = await screen.frame(await row(frame.observation), strip);
        await inTime(encoder.add(picture, isLast ? END_MS : pacing.frameMs));
      }
      checkSame(records, frame.state);
      const { extension } = encoder;
      return {
        extension,
        bytes: await inTime(encoder.finish()),
        ...(this.#note ? { note: this.#note } : {}),
      };
    } finally {
      await encoder.abandon();
    }
  }

  #camerasIn(observation: Observation): readonly string[] {
    return this.cameras?.filter((name) => name !== MAP) ?? picturesIn(observation);
  }

  get #showsMap(): boolean {
    return this.cameras === undefined || this.cameras.includes(MAP);
  }

  #makeFilmMap({ episode, records }: Rollout, images: readonly ColorImage[]) {
    const height = images.length > 0 ? heightOf(images) : MAP_ALONE_PX;
    const box = { width: Math.round(height * MAP_SHAPE), height };
    return makeFilmMap(this.plan, episode, records, box);
  }

  #giveUp(why: string): NoFilm {
    this.#hopeless = {
      problem: `${this.plan.task.name}: no films are made, ${why}`,
      isLasting: true,
    };
    return this.#hopeless;
  }
}

function imagesOf(observation: Observation, names: readonly string[]): ColorImage[] {
  return names.flatMap((name) => {
    const image = observation[name];
    return isImage(image) && image.kind === "rgb" ? image : [];
  });
}

async function rowOf(images: readonly ColorImage[], map: FilmMap | undefined) {
  return [...(await sameHeight(images)), ...(map ? [map.picture()] : [])];
}

function pacingOf(records: readonly StepRecord[]): Pacing {
  const [first, last] = [records[0], records.at(-1)];
  return paceOf({
    steps: records.length - 1,
    seconds: last?.time_s,
    jumps: first?.state.node !== undefined,
  });
}

/** Rejects a film whose replay differs from the recorded episode. */
function checkSame(records: readonly StepRecord[], state: StepRecord["state"]): void {
  if (isSameEnd(records, state)) return;
  throw new Error("the replayed episode differs from the recorded one, so its film is discarded");
}
