import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { BaseMetric, type MetricContext, type MetricInfo } from "../../core/metric/base.js";
import type { Place, SceneDistance } from "../../core/scene/place.js";
import type { BaseTask } from "../../core/task/base.js";
import { pathEfficiency } from "../shared/path-efficiency.js";
import { stateOf } from "../shared/state-of.js";
import { ManipulationSuccess } from "./manip-success.js";

/**
 * Success weighted by the robot's way: a success counts less the longer the detour of its base was.
 *
 *     rearrange_spl = S * L / max(L, P),  L = d(x_0, o_0) + d(o_0, o_T)
 *
 * S is `manip_success`, P the length of the base's path, x_0 its start, o_0 where the object started and o_T where it
 * was put, all projected to the floor. d is the shortest way on the scene's navmesh, between the navigable points
 * nearest to its ends.
 *
 * Range [0, 1], higher is better; never above `manip_success`. The arm shortens P but not L, so that small detours cost
 * nothing. L = 0: as in `spl`. Null where no way leads to o_0 or o_T, and for an episode without the object's pose.
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
  #start: Place | undefined;
  #last: Place | undefined;
  #objectStart: Place | undefined;
  #objectEnd: Place | undefined;
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
    return pathEfficiency(distance(start, from) + distance(from, to), this.#pathM);
  }
}

/** A point in MuJoCo's axes (z up) as a place on the floor in the scene's (y up). */
function onFloor([x, y]: Vec3): Place {
  return { position: [x, 0, -y] };
}

function metresBetween({ position: a }: Place, { position: b }: Place): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}
