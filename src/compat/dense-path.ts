import { BaseEpisode } from "../core/episode/base.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";

/** Distance of reference points in metres: a forward step of VLN-CE, whose ground-truth paths have one per step. */
export const STEP_M = 0.25;

/** True if the episode has a reference path of way points only: neither a dense path nor the nodes of a graph. */
export function isSparse({ referenceData }: BaseEpisode): boolean {
  return Boolean(referenceData?.path && !referenceData.dense_path && !referenceData.nodes);
}

/**
 * The episode with a dense path along the straight lines between its way points. Path metrics compare point by point,
 * so a robot that follows a path of way points exactly would still be far from most of them.
 */
export function withDensePath(episode: BaseEpisode): BaseEpisode {
  const { path = [] } = episode.referenceData ?? {};
  const dense_path = path.flatMap((to, i) => between(path[i - 1] ?? to, to));
  const dict = episode.toDict();
  return BaseEpisode.fromDict({ ...dict, reference_data: { ...dict.reference_data, dense_path } });
}

/** Points at most `STEP_M` apart after `from`, the last of them `to`. */
function between(from: Vec3, to: Vec3): Vec3[] {
  const count = Math.max(1, Math.ceil(distance3(from, to) / STEP_M));
  return Array.from({ length: count }, (_, i): Vec3 => {
    const t = (i + 1) / count;
    return [
      from[0] + (to[0] - from[0]) * t,
      from[1] + (to[1] - from[1]) * t,
      from[2] + (to[2] - from[2]) * t,
    ];
  });
}
