import type { MessagePort } from "node:worker_threads";
import { BaseEpisode } from "../core/episode/base.js";
import type { EpisodeResult } from "./crew.js";
import { densely } from "./densely.js";
import { type Lane, openLanes } from "./lane.js";
import { LogFolder } from "./log-folder.js";
import { toPlainError } from "./plain-error.js";
import type { TaskPlan } from "./prepare.js";
import type { Filming } from "./video/film.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker-messages.js";
import { planFrom } from "./worker-setup.js";

/** What a worker does: makes its own plan, then runs the episodes that it is sent, until told to close. */
export async function serve(port: MessagePort, setup: WorkerSetup): Promise<void> {
  const service = new WorkerService(port, setup);
  port.on("message", (message: ToWorker) => service.receive(message));
  await service.start();
}

type RunMessage = Extract<ToWorker, { type: "run" }>;

class WorkerService {
  readonly #port: MessagePort;
  readonly #setup: WorkerSetup;
  /** Tasks whose episodes were asked for. */
  readonly #episodes = new Map<string, Promise<readonly BaseEpisode[]>>();
  readonly #answers = new Map<string, (episodes: readonly BaseEpisode[]) => void>();
  readonly #logs = new LogFolder();
  #lanes: readonly Lane[] = [];
  #idle: Lane[] = [];
  /** Sent while all lanes are at work, the next one first. */
  readonly #waiting: RunMessage[] = [];

  constructor(port: MessagePort, setup: WorkerSetup) {
    this.#port = port;
    this.#setup = setup;
  }

  async start(): Promise<void> {
    try {
      const { tasks, registries } = await planFrom(this.#setup);
      const episodesOf = (plan: TaskPlan) => this.#episodesOf(plan.judged.name);
      const tools = { registries, episodesOf, logFolder: this.#logs.known };
      this.#lanes = await openLanes(this.#setup.lanes, tasks, tools);
      this.#idle = [...this.#lanes];
      // All lanes are alike, so the first speaks for the rest.
      this.#send({ type: "ready", missingSensors: this.#lanes[0]?.missingSensors ?? [] });
    } catch (error) {
      this.#send({ type: "refused", error: toPlainError(error) });
    }
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case "run":
        this.#waiting.push(message);
        this.#begin();
        return;
      case "episodes": {
        const episodes = message.episodes.map((dict) => BaseEpisode.fromCheckedDict(densely(dict)));
        this.#answers.get(message.task)?.(episodes);
        return;
      }
      case "logs":
        this.#logs.tell(message.folder);
        return;
      case "close":
        void this.#close();
        return;
    }
  }

  #begin(): void {
    while (this.#waiting.length > 0) {
      const lane = this.#idle.pop();
      if (!lane) return;
      const message = this.#waiting.shift();
      if (message) void this.#run(lane, message);
    }
  }

  async #run(lane: Lane, { job, task, episode: dict, repeat, attempt }: RunMessage): Promise<void> {
    try {
      const episode = BaseEpisode.fromCheckedDict(densely(dict));
      const result = await lane.run({ task, episode, repeat, attempt }, this.#setup, (judged) =>
        this.#tell(job, judged, true),
      );
      if (result.film) this.#sendFilm(job, result.film);
      else await this.#tell(job, result, false);
    } catch (error) {
      this.#send({ type: "failed", job, error: toPlainError(error) });
    }
    this.#idle.push(lane);
    // What came in meanwhile is heard before the next episode, which may never wait for anything.
    setImmediate(() => this.#begin());
  }

  async #tell(
    job: number,
    { line, steps, faults, geometry }: EpisodeResult,
    isFilmed: boolean,
  ): Promise<void> {
    const trajectory = steps && ownBytes(await steps.pack());
    const assets = geometry && "assets" in geometry ? [...geometry.assets] : [];
    const own = assets.map(([sha256, bytes]) => [sha256, ownBytes(bytes)] as const);
    const told =
      geometry && "assets" in geometry ? { ...geometry, assets: new Map(own) } : geometry;
    this.#send({ type: "done", job, line, trajectory, faults, geometry: told, isFilmed }, [
      ...(trajectory ? [trajectory.buffer] : []),
      ...own.map(([, bytes]) => bytes.buffer),
    ]);
  }

  #sendFilm(job: number, film: Filming): void {
    const bytes = "bytes" in film ? ownBytes(film.bytes) : undefined;
    const own = bytes ? { ...film, bytes } : film;
    this.#send({ type: "filmed", job, film: own }, bytes ? [bytes.buffer] : []);
  }

  async #close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    this.#send({ type: "closed" });
    this.#port.close();
  }

  /** Asks the main thread, which has read the dataset; only recorded submissions need all of them. */
  #episodesOf(task: string): Promise<readonly BaseEpisode[]> {
    const asked = this.#episodes.get(task);
    if (asked) return asked;
    const answer = new Promise<readonly BaseEpisode[]>((resolve) => {
      this.#answers.set(task, resolve);
    });
    this.#episodes.set(task, answer);
    this.#send({ type: "episodes_wanted", task });
    return answer;
  }

  #send(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

/** Small buffers are cut from a pool that all share and that cannot be given away. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
