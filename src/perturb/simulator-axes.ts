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
function simulatorAxis(
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

/** An axis that can make an episode impossible. */
const HARDER = { needsExpert: true } as const;
/** An axis that changes only what cameras see. */
const SEEN = { isObserved: true } as const;

/** The axes that the built-in simulators apply, by name. Each simulator has some of them. */
export const SIMULATOR_AXES: Readonly<Record<string, PerturbationAxis>> = Object.fromEntries(
  Object.entries({
    camera_pose: {
      ...SEEN,
      description: "the camera stands elsewhere, aimed at the same place with a small error",
      parameter: "greatest shift of the camera",
      unit: "m",
      levels: [0.05, 0.1, 0.2],
    },
    lighting: {
      ...SEEN,
      description: "light of another intensity and colour",
      parameter: "strength of the change; 1 is 40 % darker to 30 % brighter, half of the tint",
      levels: [0.5, 1, 2],
    },
    textures: {
      ...SEEN,
      description: "other colours of table, floor and walls",
      parameter: "share of the way to random colours",
      levels: [1 / 3, 2 / 3, 1],
    },
    table_yaw: {
      ...HARDER,
      description: "the table is turned; objects stay where they are",
      parameter: "greatest angle",
      unit: "rad",
      levels: [0.1, 0.2, 0.4],
    },
    scene_look: {
      ...SEEN,
      description: "other walls, floors and furniture colours of the same floor plan",
      parameter: "share of rooms with another look",
      levels: [1 / 3, 2 / 3, 1],
    },
    object_pose: {
      ...HARDER,
      description: "objects stand elsewhere, turned by 0.1 rad per 2 cm",
      parameter: "distance by which each object is moved",
      unit: "m",
      levels: [0.02, 0.05, 0.1],
    },
    distractors: {
      ...HARDER,
      description: "further objects on the table, of other colours",
      parameter: "number of further objects",
      levels: [1, 3, 6],
    },
    object_size: {
      ...HARDER,
      description: "larger or smaller objects",
      parameter: "greatest factor of the size, or its inverse",
      neutral: 1,
      levels: [1.1, 1.25, 1.5],
    },
    object_mass: {
      ...HARDER,
      description: "heavier or lighter objects",
      parameter: "greatest factor of the mass, or its inverse",
      neutral: 1,
      levels: [2, 4, 8],
    },
    friction: {
      ...HARDER,
      description: "objects with more or less friction",
      parameter: "greatest change of the friction, as a share",
      levels: [0.3, 0.6, 0.9],
    },
    robot_start: {
      ...HARDER,
      description: "the robot starts with other joint positions",
      parameter: "change of each joint but the gripper, in parts of its range",
      levels: [0.02, 0.05, 0.1],
    },
    start_pose: {
      ...HARDER,
      description: "the robot starts at another place, turned by 1 rad per metre",
      parameter: "distance by which the start is moved",
      unit: "m",
      levels: [0.1, 0.25, 0.5],
    },
  }).map(([name, axis]) => [name, simulatorAxis(name, axis)]),
);
