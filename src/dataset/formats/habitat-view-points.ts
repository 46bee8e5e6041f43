import { z } from "zod";
import { vec3Schema } from "../../core/episode/number-lists.js";
import type { Vec3 } from "../../core/math/vec3.js";

/** Agent poses from which an object is visible. They make up most of a file. */
export const viewPointsSchema = z.array(
  z.object({ agent_state: z.object({ position: vec3Schema }) }),
);

/** Success depends only on positions, so the orientations are dropped. */
export function positionsOf(viewPoints: z.output<typeof viewPointsSchema>): Vec3[] {
  return viewPoints.map(({ agent_state }) => agent_state.position);
}
