import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { BaseMetric, type MetricContext, type MetricInfo } from "../../core/metric/base.js";
import type { SceneDistance, ScenePoint } from "../../core/scene/scene-point.js";
import type { BaseTask } from "../../core/task/base.js";
import { pathEfficiency } from "../shared/path-efficiency.js";
import { stateOf } from "../shared/state-of.js";
import { ManipulationSuccess } from "./manip-success.js";

/** Distances from a point on furniture at which Stretch's base can stand to reach it. */
const REACH_M = [0.6, 1.05] as const;
const FARTHEST_M = REACH_M[1];
const DIRECTIONS = 8;

/**
 * Success weighted by the robot's way: a success counts less the longer the detour of its base was.
 *
 *     rearrange_spl = S * L / max(L, P),  L = min over a in A(o_0), b in A(o_T) of d(x_0, a) + d(a, b)
 *
 * S is `manip_success`, P the length of the base's path, x_0 its start, o_0 where the object started and o_T where it
 * was put, all projected to the floor. A(o) are the places from which the arm reaches o: 16 points at 0.6 m and 1.05 m
 * from it, and any earlier place of the way that is within 1.05 m. d is the shortest way on the scene's navmesh, between
 * the navigable points nearest to its ends.
 *
 * Range [0, 1], higher is better; never above `manip_success`. L = 0: as in `spl`. Null where no way leads to the
 * places, and for an episode without the object's pose.
 *
 * Source: our own, after SPL (Anderson et al. 2018, arXiv:1807.06757).
 */
export class RearrangeSpl extends BaseMetric {
  readonly info: MetricInfo = {
    name: "rearrange_spl",
    summary:
      "Success weighted by shortest over travelled way of the base, by the object to its goal.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    gatedBySuccess: true,
    needs: { state: ["success", "base_pose", "objects"], distance: true },
  };

  readonly #success = new ManipulationSuccess();
  #distance: SceneDistance | undefined;
  #start: ScenePoint | undefined;
  #last: ScenePoint | undefined;
  #objectStart: ScenePoint | undefined;
  #objectEnd: ScenePoint | undefined;
  #pathM = 0;

  reset(episode: BaseEpisode, task: BaseTask, { distance }: MetricContext = {}): void {
    this.#success.reset(episode, task);
    this.#distance = distance;
    this.#start = undefined;
    this.#last = undefined;
    this.#objectStart = undefined;
    this.#objectEnd = undefined;
    this.#pathM = 0;
  }

  update(record: StepRecord): void {
    this.#success.update(record);
    const [x, y] = stateOf(record, "base_pose");
    const base = onFloor([x, y, 0]);
    if (this.#last) this.#pathM += metresBetween(this.#last, base);
    this.#start ??= base;
    this.#last = base;
    const { target } = record.state;
    const object = typeof target === "string" ? stateOf(record, "objects")[target] : undefined;
    if (!object) return;
    this.#objectEnd = onFloor(object.position);
    this.#objectStart ??= this.#objectEnd;
  }

  getMetric(): number | null {
    if (this.#success.getMetric() === 0) return 0;
    const distance = this.#distance;
    const [start, from, to] = [this.#start, this.#objectStart, this.#objectEnd];
    if (!distance || !start || !from || !to) return null;
    const ways = withinReach(from, start).map((dock) => {
      const onward = withinReach(to, dock).map((last) => distance(dock, last));
      return distance(start, dock) + Math.min(...onward);
    });
    return pathEfficiency(Math.min(...ways), this.#pathM);
  }
}

/** Places from which the arm reaches a point, with `now` first if it is one. */
function withinReach(point: ScenePoint, now: ScenePoint): readonly ScenePoint[] {
  const [x, y, z] = point.position;
  const around = REACH_M.flatMap((radius) =>
    Array.from({ length: DIRECTIONS }, (_, i): ScenePoint => {
      const angle = (2 * Math.PI * i) / DIRECTIONS;
      return { position: [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)] };
    }),
  );
  return metresBetween(now, point) <= FARTHEST_M ? [now, ...around] : around;
}

/** A point in MuJoCo's axes (z up) as a place on the floor in the scene's (y up). */
function onFloor([x, y]: Vec3): ScenePoint {
  return { position: [x, 0, -y] };
}

function metresBetween({ position: a }: ScenePoint, { position: b }: ScenePoint): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}
