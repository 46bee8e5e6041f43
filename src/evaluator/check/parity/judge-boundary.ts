import type { BaseEpisode } from "../../../core/episode/base.js";
import type { JudgedByRules } from "../../../core/rules/judge.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import type { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import type { BoundaryState } from "../../../simulator/frozen/rollouts.js";
import { withStart } from "./changed-start.js";

/** Whether the success rule holds in a boundary state. */
export async function judgeBoundary(
  simulator: FrozenSimulator,
  task: JudgedByRules,
  episode: BaseEpisode,
  { qpos }: BoundaryState,
): Promise<boolean> {
  // The original judged the state itself, so nothing moves before.
  const placed = withStart(episode, ({ state: { qvel, ...state } }) => ({
    state: { ...state, qpos, qvel: qvel.map(() => 0) },
    ...{ warm_up: undefined, first_step: undefined },
  }));
  const { state } = await new JudgedSimulator(simulator, task).reset(placed, { seed: 0 });
  return state.success ?? false;
}
