import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { NavMesh } from "../navmesh/navmesh.js";

/** A valid start may be this far off because of rounded coordinates or a navmesh built elsewhere. */
const TOLERANCE_M = 0.3;
/** Recast's surface lies above or below the floor by up to one cell height, and by more on slopes. */
const HEIGHT_TOLERANCE_M = 0.5;

/** The episode's start position on the navmesh. If it is off the navmesh, the error gives the distance. */
export function startOnMesh(episode: BaseEpisode, navMesh: NavMesh): Vec3 {
  const { position } = episode.startState;
  const { episodeId, sceneId } = episode;
  if (!position) {
    throw new DataError("no_start", `episode ${episodeId} has no start_state.position`);
  }
  const snapped = navMesh.snap(position);
  const off = snapped
    ? Math.hypot(snapped[0] - position[0], snapped[2] - position[2])
    : Number.POSITIVE_INFINITY;
  const rise = snapped ? Math.abs(snapped[1] - position[1]) : 0;
  if (snapped && off <= TOLERANCE_M && rise <= HEIGHT_TOLERANCE_M) return snapped;
  const at = `[${position.map((x) => x.toFixed(2)).join(", ")}]`;
  throw new DataError(
    "start_off_mesh",
    snapped
      ? `episode ${episodeId} starts at ${at}, which is ${Math.hypot(off, rise).toFixed(2)} m off the navmesh of ${sceneId}`
      : `episode ${episodeId} starts at ${at}, which is far from the navmesh of ${sceneId}`,
    {
      hint: "check that this is the right scene, with y up, and that simulator.agent is the body the episodes were made for",
    },
  );
}
