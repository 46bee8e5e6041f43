import { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError, RobotEvalError } from "../../core/errors.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import { suggestion } from "../../core/registry.js";
import { BUILT_IN_ROBOTS, findRobot } from "../../robots/catalog.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { DrawCounter } from "../draw-counter.js";
import { MANIPULATION_MAKERS, type ManipulationTaskType } from "./draw.js";
import { ReferenceRecorder } from "./reference.js";
import { type Reach, robotReach } from "./robot-reach.js";

export interface ManipulationOptions {
  readonly task: ManipulationTaskType;
  /** A robot type: stretch, panda, ...; or the descriptor of another robot. */
  readonly robot: string | RobotDescriptor;
  readonly seed: number;
  readonly count: number;
  /** Records the expert's trajectory of each episode as reference (default true). */
  readonly reference?: boolean | undefined;
  readonly onEpisode?: ((episodes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Episodes of a manipulation task, with statistics of their generation. */
export interface ManipulationSplit {
  readonly task: ManipulationTaskType;
  readonly robot: string;
  readonly episodes: readonly BaseEpisode[];
  /** Number of draws. */
  readonly drawn: number;
  /** Number of rejected draws by reason. The reason is always the robot's geometry, never a failed attempt. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Number of episodes that the expert solved and that therefore have a reference. */
  readonly references: number;
}

export const MANIPULATION_TASKS = Object.keys(
  MANIPULATION_MAKERS,
) as readonly ManipulationTaskType[];

/** Number of draws for one episode after which generation fails. */
const MAX_DRAWS = 200;

/**
 * Generates manipulation episodes. Each depends only on the seed and its number, so the first ten of a hundred equal
 * ten. An episode is left out, and counted, only if the robot's geometry cannot do it; one that the expert fails is
 * kept without a reference.
 *
 * @example
 * const options = { task: "pick_place", robot: "stretch", seed: 1, count: 10 } as const;
 * const { episodes, references } = await generateManipulation(options);
 */
export async function generateManipulation(
  options: ManipulationOptions,
): Promise<ManipulationSplit> {
  const robot = robotOf(options.robot);
  const reach = await robotReach(robot);
  const recorder = options.reference === false ? undefined : new ReferenceRecorder(robot);
  const draws = new DrawCounter();
  const episodes: BaseEpisode[] = [];
  let references = 0;
  try {
    for (let number = 0; number < options.count; number++) {
      if (options.signal?.aborted) {
        throw new RobotEvalError("interrupted", "interrupted; nothing was written", {
          exitCode: 130,
        });
      }
      const drawn = draw(options, robot, reach, number, draws);
      const recorded = await recorder?.record(drawn);
      if (recorded) references++;
      episodes.push(recorded ?? drawn);
      options.onEpisode?.(episodes.length);
    }
  } finally {
    reach.dispose();
    recorder?.close();
  }
  const { task } = options;
  const { drawn, rejected } = draws;
  return { task, robot: robot.robotType, episodes, drawn, rejected, references };
}

function draw(
  { task, seed }: ManipulationOptions,
  robot: RobotDescriptor,
  reach: Reach,
  number: number,
  draws: DrawCounter,
): BaseEpisode {
  const random = new Random(hash53(JSON.stringify([task, robot.robotType, seed, number])));
  for (let tries = 0; tries < MAX_DRAWS; tries++) {
    draws.drawn++;
    const drawn = MANIPULATION_MAKERS[task](robot, random, String(number), reach);
    if (!("refused" in drawn)) return new BaseEpisode(drawn);
    draws.reject(drawn.refused);
  }
  throw new DataError("no_episode", `no drawn episode is reachable for ${robot.robotType}`, {
    where: `${task}, episode ${number}`,
    hint: `${draws.describe()}; choose another robot`,
  });
}

function robotOf(robotType: string | RobotDescriptor): RobotDescriptor {
  if (typeof robotType !== "string") return robotType;
  const robot = findRobot(robotType);
  if (robot) return robot;
  throw new ConfigError("unknown_robot", `unknown robot "${robotType}"`, {
    where: "--robot",
    hint: suggestion(
      robotType,
      BUILT_IN_ROBOTS.map((one) => one.robotType),
    ),
  });
}
