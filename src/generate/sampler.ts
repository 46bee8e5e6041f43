import { DataError } from "../core/errors.js";
import type { Random } from "../core/math/random.js";
import type { QuatXyzw } from "../core/math/rotation.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import { type Ground, isClear, LARGEST_ISLAND, rounded, roundedPoint } from "./ground.js";
import { Tally } from "./tally.js";

/** What an episode's way must be like. */
export interface Limits {
  /** Geodesic, metres. */
  readonly minDistanceM: number;
  readonly maxDistanceM: number;
  /** Geodesic over straight: what more than 1 means that walls are in the way. */
  readonly minRatio: number;
}

/** Free floor around starts and goals, metres beyond the body's own radius. */
const CLEAR_M = 0.2;
/** Episodes whose starts and goals are both this near each other are one. */
const SAME_M = 0.5;
/** Draws for a wanted episode before a scene is given up. */
const PATIENCE = 500;

/** Somewhere to begin, and somewhere to go. */
export interface Pair {
  readonly start: Vec3;
  readonly rotation: QuatXyzw;
  readonly goal: Vec3;
  readonly geodesicM: number;
}

/** Draws starts and goals in one scene, and says why it does not take some. */
export class Sampler {
  readonly tally = new Tally();
  readonly island = LARGEST_ISLAND;

  constructor(
    readonly ground: Ground,
    readonly random: Random,
    readonly limits: Limits,
    readonly sceneId: string,
  ) {}

  /** Asks for episodes until there are enough; throws when the scene does not give them. */
  async collect<T>(count: number, draw: () => Promise<T | undefined>): Promise<T[]> {
    const taken: T[] = [];
    const most = PATIENCE * count;
    while (taken.length < count) {
      if (this.tally.drawn >= most) throw this.#tooFew(count, taken.length);
      this.tally.draw();
      const one = await draw();
      if (one !== undefined) taken.push(one);
    }
    return taken;
  }

  #tooFew(wanted: number, got: number): DataError {
    const { minDistanceM, maxDistanceM, minRatio } = this.limits;
    return new DataError(
      "too_few_pairs",
      `the scene gave ${got} of ${wanted} episodes; ${this.tally.describe()}`,
      {
        where: this.sceneId,
        hint: `ask for fewer from it (--per-scene), or for less: --min-distance ${minDistanceM}, --max-distance ${maxDistanceM} and --min-ratio ${minRatio} hold now`,
      },
    );
  }

  /** A point with free floor around, exactly as it will be written. */
  place(): Vec3 | undefined {
    const point = roundedPoint(this.ground.randomPoint(this.random, this.island));
    if (this.ground.island(point) !== this.island || !isClear(this.ground, point, CLEAR_M)) {
      this.tally.reject("too near a wall");
      return undefined;
    }
    return point;
  }

  rotation(): QuatXyzw {
    const half = (this.random.uniform() - 0.5) * Math.PI;
    return [0, rounded(Math.sin(half)), 0, rounded(Math.cos(half))];
  }

  /** Whether a way is within the limits. */
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
    if (known) {
      this.tally.reject("had already");
      return undefined;
    }
    return { start, goal, rotation: this.rotation(), geodesicM };
  }

  #no(why: string): false {
    this.tally.reject(why);
    return false;
  }
}
