import type { EpisodeInit } from "../core/episode/base.js";
import { DataError } from "../core/errors.js";
import type { Random } from "../core/math/random.js";
import type { QuatXyzw } from "../core/math/rotation.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import type { SceneModel } from "../simulator/scenes/model.js";
import { DrawCounter } from "./draw-counter.js";
import { type Ground, isClear, LARGEST_ISLAND, rounded, roundedPoint } from "./ground.js";
import type { OpenedDrawer } from "./rearrange/opened-drawer.js";

/** Limits for the path of an episode. */
export interface Limits {
  /** Geodesic distance in metres. */
  readonly minDistanceM: number;
  readonly maxDistanceM: number;
  /** Ratio of geodesic to straight distance; above 1, walls are in the way. */
  readonly minRatio: number;
}

/** An episode before it is numbered. */
export type EpisodeDraft = Omit<EpisodeInit, "episodeId">;

/** A scene to generate episodes in. */
export interface Setting {
  readonly model: SceneModel;
  readonly ground: Ground;
  readonly sampler: Sampler;
  /** A drawer that is open at the start; it is not in `model`, and the ground ends at it. */
  readonly drawer?: OpenedDrawer | undefined;
}

/** Generates `count` episodes of one task in one scene. */
export type EpisodeMaker = (setting: Setting, count: number) => Promise<EpisodeDraft[]>;

/** Free floor around starts and goals beyond the body's radius, in metres. */
const CLEAR_M = 0.2;
/** Two episodes are duplicates if their starts and their goals are both this close, in metres. */
const SAME_M = 0.5;
/** Draws per requested episode before a scene is given up. */
const MAX_DRAWS_PER_EPISODE = 500;

/** A start and a goal. */
export interface Pair {
  readonly start: Vec3;
  readonly rotation: QuatXyzw;
  readonly goal: Vec3;
  readonly geodesicM: number;
}

/** Draws starts and goals in one scene and counts the reasons of rejected draws. */
export class Sampler {
  readonly draws = new DrawCounter();
  readonly island = LARGEST_ISLAND;

  constructor(
    readonly ground: Ground,
    readonly random: Random,
    readonly limits: Limits,
    readonly sceneId: string,
  ) {}

  /** Draws until there are enough episodes; throws if the scene yields too few. */
  async collect<T>(count: number, draw: () => Promise<T | undefined>): Promise<T[]> {
    const taken: T[] = [];
    const most = MAX_DRAWS_PER_EPISODE * count;
    while (taken.length < count) {
      if (this.draws.drawn >= most) throw this.#tooFew(count, taken.length);
      this.draws.drawn++;
      const one = await draw();
      if (one !== undefined) taken.push(one);
    }
    return taken;
  }

  #tooFew(wanted: number, got: number): DataError {
    const { minDistanceM, maxDistanceM, minRatio } = this.limits;
    return new DataError(
      "too_few_pairs",
      `the scene yielded ${got} of ${wanted} episodes; ${this.draws.describe()}`,
      {
        where: this.sceneId,
        hint: `lower --per-scene, or relax the limits --min-distance ${minDistanceM}, --max-distance ${maxDistanceM} and --min-ratio ${minRatio}`,
      },
    );
  }

  /** Draws a point with free floor around it, rounded as it will be written. */
  place(): Vec3 | undefined {
    const point = roundedPoint(this.ground.randomPoint(this.random, this.island));
    if (this.ground.island(point) !== this.island || !isClear(this.ground, point, CLEAR_M)) {
      return this.draws.reject("too near a wall");
    }
    return point;
  }

  rotation(): QuatXyzw {
    const half = (this.random.uniform() - 0.5) * Math.PI;
    return [0, rounded(Math.sin(half)), 0, rounded(Math.cos(half))];
  }

  /** True if a path is within the limits. */
  fits(geodesicM: number, straightM: number): boolean {
    const { minDistanceM, maxDistanceM, minRatio } = this.limits;
    if (!(geodesicM < Number.POSITIVE_INFINITY)) return this.#no("unreachable");
    if (geodesicM < minDistanceM) return this.#no("too near");
    if (geodesicM > maxDistanceM) return this.#no("too far");
    return geodesicM >= minRatio * straightM || this.#no("too straight");
  }

  pair(before: readonly Pair[]): Pair | undefined {
    const [start, goal] = [this.place(), this.place()];
    if (!start || !goal) return undefined;
    const geodesicM = this.ground.distance(start, goal);
    if (!this.fits(geodesicM, distance3(start, goal))) return undefined;
    const known = before.some((other) => {
      return distance3(other.start, start) < SAME_M && distance3(other.goal, goal) < SAME_M;
    });
    if (known) return this.draws.reject("duplicate");
    return { start, goal, rotation: this.rotation(), geodesicM };
  }

  #no(why: string): false {
    this.draws.reject(why);
    return false;
  }
}
