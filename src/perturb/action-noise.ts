import { type Action, actionName, STOP } from "../core/interfaces/action.js";
import { Random } from "../core/math/random.js";
import type { PerturbationAxis } from "../core/perturbation/axis.js";
import type { ActionSpace } from "../core/task/types.js";

/**
 * A named action is replaced by another one with this probability. Vectors get Gaussian noise of a tenth of it, in parts
 * of each number's range. `stop` is neither replaced nor chosen, because that would measure the length of episodes.
 */
export const actionNoise: PerturbationAxis = {
  description: "actions are executed inexactly",
  kind: "interface",
  parameter:
    "share of named actions that are replaced; vectors get noise of a tenth of it, in parts of each number's range",
  unit: "",
  neutral: 0,
  levels: [0.02, 0.05, 0.15],
  missing: () => undefined,
  channel: ({ value, seed }) => {
    const random = new Random(seed);
    return {
      act: (action, space) => (value === 0 ? action : noisy(action, space, value, random)),
    };
  },
};

/** Noise of vectors per share of replaced commands. */
const VECTOR = 0.1;

function noisy(action: Action, space: ActionSpace, share: number, random: Random): Action {
  if (typeof action !== "string") {
    return action.map((number, i) => {
      const [low, high] = space.limits(i) ?? [-1, 1];
      // Drawn before the limits are applied, so that the stream does not depend on the action.
      const noisyNumber = number + VECTOR * share * (high - low) * random.normal();
      return Math.min(high, Math.max(low, noisyNumber));
    });
  }
  const isReplaced = random.uniform() < share;
  const pick = random.uniform();
  const others = (space.actions ?? []).filter(
    (name) => name !== STOP && name !== "goto" && name !== actionName(action),
  );
  if (!isReplaced || action === STOP || others.length === 0) return action;
  return others[Math.floor(pick * others.length)] ?? action;
}
