import type { MessagePort } from "node:worker_threads";
import { BaseEpisode } from "../../core/episode/base.js";
import { toPlainError } from "../../core/plain-error.js";
import type { TaskPlan } from "../plan/prepare.js";
import { LogFolder } from "../record/log-folder.js";
import type { Filming } from "../record/video/film.js";
import { toDenseArrays } from "./dense-arrays.js";
import { type LocalRunner, openRunners } from "./local-runner.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker-messages.js";
import type { EpisodeResult } from "./worker-pool.js";
import { planFrom } from "./worker-setup.js";

/** The worker side of a thread: builds the plan, then runs the jobs it is sent until told to close. */
export function serve(port: MessagePort): void {
  let service: WorkerService | undefined;
  port.on("message", (message: ToWorker) => {
    if (message.type === "setup") {
      service = new WorkerService(port, message.setup);
      void service.start();
    } else service?.receive(message);
  });
}

type RunMessage = Extract<ToWorker, { type: "run" }>;

class WorkerService {
  readonly #port: MessagePort;
  readonly #setup: WorkerSetup;
  /** Requested episodes, by task. */
  readonly #episodes = new Map<string, Promise<readonly BaseEpisode[]>>();
  readonly #answers = new Map<string, (episodes: readonly BaseEpisode[]) => void>();
  readonly #logs = new LogFolder();
  #runners: readonly LocalRunner[] = [];
  #idle: LocalRunner[] = [];
  #hasReset = false;
  /** Jobs received while all runners are busy, oldest first. */
  readonly #waiting: RunMessage[] = [];

  constructor(port: MessagePort, setup: WorkerSetup) {
    this.#port = port;
    this.#setup = setup;
  }

  async start(): Promise<void> {
    try {
      const { tasks, registries } = await planFrom(this.#setup);
      const episodesOf = ({ task }: TaskPlan) => this.#episodesOf(task.name);
      const { connectWithinMs } = this.#setup;
      const tools = { registries, episodesOf, logFolder: this.#logs.known, connectWithinMs };
      this.#runners = await openRunners(this.#setup.concurrency, tasks, tools);
      this.#idle = [...this.#runners];
      // All runners have the same simulators and agents, so the first one's lists hold for all.
      const { missingSensors = [], policies = {} } = this.#runners[0] ?? {};
      this.#send({ type: "ready", missingSensors, policies });
    } catch (error) {
      this.#send({ type: "refused", error: toPlainError(error) });
    }
  }

  receive(message: Exclude<ToWorker, { type: "setup" }>): void {
    switch (message.type) {
      case "run":
        this.#waiting.push(message);
        this.#begin();
        return;
      case "episodes": {
        const episodes = message.episodes.map((dict) =>
          BaseEpisode.fromCheckedDict(toDenseArrays(dict)),
        );
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
      const runner = this.#idle.pop();
      if (!runner) return;
      const message = this.#waiting.shift();
      if (message) void this.#run(runner, message);
    }
  }

  async #run(
    runner: LocalRunner,
    { job, task, episode: dict, repeat, attempt }: RunMessage,
  ): Promise<void> {
    try {
      const episode = BaseEpisode.fromCheckedDict(toDenseArrays(dict));
      const result = await runner.run({ task, episode, repeat, attempt }, this.#setup, {
        onReset: () => this.#tellFirstReset(),
        beforeFilm: (unfilmed) => this.#tell(job, unfilmed, true),
      });
      if (result.film) this.#sendFilm(job, result.film);
      else await this.#tell(job, result, false);
    } catch (error) {
      this.#send({ type: "failed", job, error: toPlainError(error) });
    }
    this.#idle.push(runner);
    // An episode may run without ever yielding, so pending messages are read before the next one.
    setImmediate(() => this.#begin());
  }

  #tellFirstReset(): void {
    if (this.#hasReset) return;
    this.#hasReset = true;
    this.#send({ type: "first_reset" });
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
    await Promise.all(this.#runners.map((runner) => runner.close()));
    this.#send({ type: "closed" });
    this.#port.close();
  }

  /** Asks the main thread, which has read the dataset. Only recorded submissions need all episodes. */
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

/** Copies: small buffers share a pool that cannot be transferred. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
