import type { BaseEpisode } from "../core/episode/base.js";

/** An episode that is to be run. */
export interface Job {
  /** The task's name in the benchmark. */
  readonly task: string;
  readonly episode: BaseEpisode;
  /** Which run of the episode, from 0. */
  readonly repeat: number;
  /** From 1. */
  readonly attempt: number;
}

/** An episode that is run once. */
export function firstRun(task: string, episode: BaseEpisode): Job {
  return { task, episode, repeat: 0, attempt: 1 };
}

/** The episodes that nobody has taken yet. Results do not depend on who takes which, or when. */
export interface JobQueue {
  readonly size: number;
  /** @param worker who asks, by number; undefined is the end */
  take(worker: number): Job | undefined;
  /** Takes one back that is to be tried again. */
  add(job: Job): void;
  /** Forgets what is left of a task. */
  drop(task: string): void;
}

/** One after the other as they are given. */
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

  /** Next: whether a task may stop is told by its first episodes. */
  add(job: Job): void {
    this.#jobs.splice(this.#next, 0, job);
  }

  drop(task: string): void {
    this.#jobs = this.#jobs.slice(this.#next).filter((job) => job.task !== task);
    this.#next = 0;
  }
}

/**
 * Scene by scene: loading one is costly and each worker loads its own, so a worker stays in the scene
 * that it is in, then goes to one where nobody is. When there is none it helps where most is left, so
 * that no worker is idle while there is work.
 */
export class SceneOrder implements JobQueue {
  /** In the order of their first episodes; within each, the next one is last. */
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
