import type { BaseEpisode } from "../../core/episode/base.js";

/** One execution of an episode. */
export interface Job {
  /** The task's name in the benchmark. */
  readonly task: string;
  readonly episode: BaseEpisode;
  /** Repetition of the episode, from 0. */
  readonly repeat: number;
  /** From 1. */
  readonly attempt: number;
}

/** The first attempt of an episode's first repetition. */
export function firstRun(task: string, episode: BaseEpisode): Job {
  return { task, episode, repeat: 0, attempt: 1 };
}

/** Jobs that no worker has taken. Results do not depend on which worker takes which job. */
export interface JobQueue {
  readonly size: number;
  /** @param worker index of the worker. @returns undefined if the queue is empty */
  take(worker: number): Job | undefined;
  /** Puts a job back that is retried. */
  add(job: Job): void;
  /** Removes the remaining jobs of a task. */
  drop(task: string): void;
  /**
   * Only for a queue that may give nothing although it is not empty: resolves when a job may be available, with false if
   * there will be none or `signal` is aborted.
   */
  wait?(signal: AbortSignal | undefined): Promise<boolean>;
}

/** Jobs in the given order. */
export class GivenOrder implements JobQueue {
  #jobs: Job[];
  #next = 0;

  constructor(jobs: readonly Job[]) {
    this.#jobs = [...jobs];
  }

  get size(): number {
    return this.#jobs.length - this.#next;
  }

  take(): Job | undefined {
    const job = this.#jobs[this.#next];
    if (job) this.#next++;
    return job;
  }

  /** Puts it first: early stopping needs a task's first episodes. */
  add(job: Job): void {
    this.#jobs.splice(this.#next, 0, job);
  }

  drop(task: string): void {
    this.#jobs = this.#jobs.slice(this.#next).filter((job) => job.task !== task);
    this.#next = 0;
  }
}

/**
 * Jobs grouped by scene. Loading a scene is expensive and every worker loads its own, so a worker stays in its
 * scene, then moves to one without a worker. If there is none, it joins the scene with the most jobs left, so
 * that no worker is idle while there are jobs.
 */
export class SceneOrder implements JobQueue {
  /** Scenes in the order of their first episodes; in each list the next job is last. */
  readonly #scenes = new Map<string, Job[]>();
  readonly #sceneOf = new Map<number, string>();
  #size: number;

  constructor(jobs: readonly Job[]) {
    this.#size = jobs.length;
    for (const job of jobs) {
      const { sceneId } = job.episode;
      const others = this.#scenes.get(sceneId);
      if (others) others.push(job);
      else this.#scenes.set(sceneId, [job]);
    }
    for (const waiting of this.#scenes.values()) waiting.reverse();
  }

  get size(): number {
    return this.#size;
  }

  add(job: Job): void {
    const { sceneId } = job.episode;
    const others = this.#scenes.get(sceneId);
    if (others) others.unshift(job);
    else this.#scenes.set(sceneId, [job]);
    this.#size++;
  }

  drop(task: string): void {
    for (const [scene, waiting] of this.#scenes) {
      const kept = waiting.filter((job) => job.task !== task);
      this.#size -= waiting.length - kept.length;
      if (kept.length > 0) this.#scenes.set(scene, kept);
      else this.#scenes.delete(scene);
    }
  }

  take(worker: number): Job | undefined {
    const scene = this.#sceneFor(worker);
    if (scene === undefined) return undefined;
    this.#sceneOf.set(worker, scene);
    const waiting = this.#scenes.get(scene) ?? [];
    const job = waiting.pop();
    if (waiting.length === 0) this.#scenes.delete(scene);
    this.#size--;
    return job;
  }

  #sceneFor(worker: number): string | undefined {
    const own = this.#sceneOf.get(worker);
    if (own !== undefined && this.#scenes.has(own)) return own;
    const taken = new Set(this.#sceneOf.values());
    let fullest: string | undefined;
    let most = 0;
    for (const [scene, { length }] of this.#scenes) {
      if (!taken.has(scene)) return scene;
      if (length > most) [fullest, most] = [scene, length];
    }
    return fullest;
  }
}
