import { STOP } from "../../core/interfaces/action.js";
import { ActionSpace } from "../../core/task/types.js";
import type { NavmeshConfig } from "./navmesh-config.js";

/** Continuous control: `[linear m/s, angular rad/s]`, or `stop`. */
export function velocitySpace(velocity: NavmeshConfig["velocity"]): ActionSpace {
  const turn = (velocity.max_angular * Math.PI) / 180;
  return new ActionSpace({
    name: "hybrid",
    actions: [STOP],
    shape: [2],
    range: [
      [-velocity.max_linear, velocity.max_linear],
      [-turn, turn],
    ],
    semantics: {
      stop: "end the episode here",
      "0": `forward speed in m/s, for ${velocity.time_step} s`,
      "1": `turning speed in rad/s, counter-clockwise, for ${velocity.time_step} s`,
    },
  });
}
