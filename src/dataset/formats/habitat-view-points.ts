import { z } from "zod";
import { vec3Schema } from "../../core/episode/number-lists.js";
import type { Vec3 } from "../../core/math/vec3.js";

/** Where an agent stands that can see an object. Most of a file is these. */
export const viewPointsSchema = z.array(
  z.object({ agent_state: z.object({ position: vec3Schema }) }),
);

/** Success is judged by positions: which way the agent looks there does not count. */
export function positionsOf(viewPoints: z.output<typeof viewPointsSchema>): Vec3[] {
  return viewPoints.map(({ agent_state }) => agent_state.position);
}
