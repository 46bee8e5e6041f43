import { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError, RobotEvalError } from "../../core/errors.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import { suggestion } from "../../core/registry.js";
import { BUILT_IN_ROBOTS, findRobot } from "../../robots/catalog.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { Tally } from "../tally.js";
import { drawEpisode, MANIPULATION_MAKERS, type ManipulationTaskType } from "./draw.js";
import type { Reach } from "./reach.js";
import { ReferenceRecorder } from "./reference.js";
import { isRefusal } from "./refusal.js";
import { robotReach } from "./robot-reach.js";

export interface ManipulationOptions {
  readonly task: ManipulationTaskType;
  /** A robot's type: stretch, panda, ...; or the descriptor of one that does not ship. */
  readonly robot: string | RobotDescriptor;
  readonly seed: number;
  readonly count: number;
  /** Lets the expert do each episode and keeps how, as the reference (default true). */
  readonly reference?: boolean | undefined;
  readonly onEpisode?: ((episodes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Episodes of a manipulation task, and how they came about. */
export interface ManipulationSplit {
  readonly task: ManipulationTaskType;
  readonly robot: string;
  readonly episodes: readonly BaseEpisode[];
  /** How often chance was asked for them. */
  readonly drawn: number;
  /** Draws that were not taken, by reason; always the robot's geometry, never that somebody failed. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Episodes that the expert did, and that have a reference therefore. */
  readonly references: number;
}

export const MANIPULATION_TASKS = Object.keys(
  MANIPULATION_MAKERS,
) as readonly ManipulationTaskType[];

/** Draws for one episode after which something must be wrong with the robot or the ranges. */
const MOST_DRAWS = 200;

/**
 * Makes manipulation episodes. Each comes from the seed and its own number, so the first ten of a hundred
 * are the same as ten. An episode is left out only where the robot's geometry cannot do it, and that is
 * counted; one that the expert fails stays, without a reference.
 */
export async function generateManipulation(
  options: ManipulationOptions,
): Promise<ManipulationSplit> {
  const robot = robotOf(options.robot);
  const reach = await robotReach(robot);
  const recorder = options.reference === false ? undefined : new ReferenceRecorder(robot);
  const tally = new Tally();
  const episodes: BaseEpisode[] = [];
  let references = 0;
  try {
    for (let number = 0; number < options.count; number++) {
      if (options.signal?.aborted) {
        throw new RobotEvalError("interrupted", "interrupted; nothing was written", {
          exitCode: 130,
        });
      }
      const drawn = draw(options, robot, reach, number, tally);
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
  const { drawn, rejected } = tally;
  return { task, robot: robot.robotType, episodes, drawn, rejected, references };
}

function draw(
  { task, seed }: ManipulationOptions,
  robot: RobotDescriptor,
  reach: Reach,
  number: number,
  tally: Tally,
): BaseEpisode {
  const random = new Random(hash53(JSON.stringify([task, robot.robotType, seed, number])));
  for (let tries = 0; tries < MOST_DRAWS; tries++) {
    tally.draw();
    const drawn = drawEpisode(task, robot, random, String(number), reach);
    if (!isRefusal(drawn)) return new BaseEpisode(drawn);
    tally.reject(drawn.refused);
  }
  throw new DataError("no_episode", `nothing that ${robot.robotType} can reach was drawn`, {
    where: `${task}, episode ${number}`,
    hint: `${tally.describe()}; choose another robot`,
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
