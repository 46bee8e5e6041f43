import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { CatalogueModel } from "../../simulator/manipulation/objects/catalogue/model.js";
import {
  type Receptacle,
  type ReceptacleSurface,
  receptaclesOf,
} from "../../simulator/scenes/receptacles.js";
import type { Ground } from "../ground.js";
import type { Setting } from "../sampler.js";
import { RayCaster } from "../sight/ray-caster.js";

/** A place for an object on a receptacle. Axes of the scene. */
export interface Spot {
  readonly receptacle: Receptacle;
  /** Middle of what the object stands on. */
  readonly point: Vec3;
  /** Radius of the circle that the object needs. */
  readonly radiusM: number;
}

/** Distances from the base to what the hand holds, within the reach of Stretch's arm from both ends of its travel. */
const DOCK_M = [0.45, 0.55, 0.65] as const;
const DIRECTIONS = 24;
/** A point is on the navmesh if its nearest point there is this close. */
const SNAP_M = 0.02;
/** Distance of an object from the edges of its surface, and from others, so that fingers fit between. */
const EDGE_M = 0.02;
const APART_M = 0.09;
/** Free height above a surface: the hand works from above, and lifts the object. */
const ABOVE_M = 0.45;
/** Heights of surfaces at which the whole hand has room, above and below. */
const HEIGHTS_M = [0.35, 0.95] as const;
/** Height above a surface at which the arm comes in. */
const ARM_M = 0.1;
const TRIES = 12;

/** Where objects can be put in a scene, and from where the robot reaches them. */
export class Spots {
  readonly receptacles: readonly Receptacle[];
  readonly drawer: Receptacle | undefined;
  readonly #rimM: number;
  readonly #ground: Ground;
  readonly #island: number;
  readonly #rays: RayCaster;

  constructor(
    { model, ground, drawer }: Pick<Setting, "model" | "ground" | "drawer">,
    island: number,
  ) {
    // The opening of a drawer shows the inside of its furniture, which is no place for objects.
    this.receptacles = receptaclesOf(drawer?.closed ?? model);
    this.drawer = drawer?.receptacle;
    this.#rimM = drawer?.surface.rimM ?? 0;
    this.#ground = ground;
    this.#island = island;
    this.#rays = new RayCaster(model);
  }

  /** Draws a place on a receptacle, beside what stands there; undefined if none is free. */
  draw(
    random: Random,
    receptacle: Receptacle,
    object: CatalogueModel,
    taken: readonly Spot[],
  ): Spot | undefined {
    const [w, d] = object.shape.sizeM;
    const radiusM = Math.hypot(w, d) / 2;
    const wide = receptacle.surfaces.filter(({ centre, sizeM, clearanceM }) => {
      const isInReach = centre[1] >= HEIGHTS_M[0] && centre[1] <= HEIGHTS_M[1];
      return isInReach && clearanceM >= ABOVE_M && Math.min(...sizeM) / 2 >= radiusM + EDGE_M;
    });
    if (wide.length === 0) return undefined;
    for (let i = 0; i < TRIES; i++) {
      const point = drawPoint(random, random.pick(wide), radiusM + EDGE_M);
      const isFree = taken.every((other) => {
        const away = Math.hypot(point[0] - other.point[0], point[2] - other.point[2]);
        return away >= radiusM + other.radiusM + APART_M;
      });
      if (isFree) return { receptacle, point, radiusM };
    }
    return undefined;
  }

  /** Places on the floor from which the arm reaches a spot; empty if there are none. */
  docks({ receptacle, point: [x, y, z] }: Spot): Vec3[] {
    // Into a drawer, the arm comes in above its front.
    const rimM = receptacle === this.drawer ? this.#rimM : 0;
    const target: Vec3 = [x, y + rimM + ARM_M, z];
    return DOCK_M.flatMap((away) =>
      Array.from({ length: DIRECTIONS }, (_, i) => {
        const angle = (2 * Math.PI * i) / DIRECTIONS;
        return this.#dock([x + away * Math.cos(angle), 0, z + away * Math.sin(angle)], target);
      }).filter((dock) => dock !== undefined),
    );
  }

  #dock(at: Vec3, target: Vec3): Vec3 | undefined {
    const dock = this.#ground.snap(at);
    if (!dock || Math.hypot(dock[0] - at[0], dock[2] - at[2]) > SNAP_M) return undefined;
    if (this.#ground.island(dock) !== this.#island) return undefined;
    // The arm comes in level: a wall, or the side of a shelf, must not be between.
    const hit = this.#rays.firstHit([dock[0], target[1], dock[2]], target);
    return hit === undefined ? dock : undefined;
  }
}

function drawPoint(
  random: Random,
  { centre, sizeM, yawRad }: ReceptacleSurface,
  marginM: number,
): Vec3 {
  const u = (random.uniform() - 0.5) * (sizeM[0] - 2 * marginM);
  const v = (random.uniform() - 0.5) * (sizeM[1] - 2 * marginM);
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  return [centre[0] + u * c + v * s, centre[1], centre[2] - u * s + v * c];
}
