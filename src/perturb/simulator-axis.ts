import type { BaseEpisode } from "../core/episode/base.js";
import type { PerturbationAxis } from "../core/perturbation/axis.js";
import { withTaskConfig } from "../core/perturbation/record.js";
import { isRecord } from "../core/record.js";

type Described = Pick<PerturbationAxis, "description" | "parameter" | "levels"> &
  Partial<Pick<PerturbationAxis, "unit" | "neutral" | "needsExpert" | "isObserved">>;

/**
 * An axis that the simulator applies: its value and seed are written to the episode's `task_config.randomization.axes`,
 * which the simulator reads when it builds the world.
 */
export function simulatorAxis(
  name: string,
  { unit = "", neutral = 0, ...axis }: Described,
): PerturbationAxis {
  return {
    ...axis,
    kind: "simulator",
    unit,
    neutral,
    missing: ({ simulatorAxes, simulatorName }) => {
      if (simulatorAxes.includes(name)) return undefined;
      const own = simulatorAxes.length > 0 ? simulatorAxes.join(", ") : "none";
      return `the ${simulatorName} simulator does not have it (its simulator axes: ${own})`;
    },
    perturb: (episode, { value, seed }) => ({
      episode: value === neutral ? episode : withAxis(episode, name, { value, seed }),
    }),
  };
}

function withAxis(
  episode: BaseEpisode,
  name: string,
  axis: { readonly value: number; readonly seed: number },
): BaseEpisode {
  const { randomization } = episode.taskConfig;
  const before = isRecord(randomization) ? randomization : {};
  const axes = isRecord(before.axes) ? before.axes : {};
  return withTaskConfig(episode, {
    randomization: { ...before, axes: { ...axes, [name]: axis } },
  });
}
