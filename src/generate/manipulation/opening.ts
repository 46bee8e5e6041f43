import { along } from "../../agents/expert/pose.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis, rotate } from "../../core/math/quat-wxyz.js";
import type { Random } from "../../core/math/random.js";
import { add, type Vec3 } from "../../core/math/vec3.js";
import { rounded } from "../ground.js";
import type { DrawEpisode } from "./draw.js";
import { within } from "./object-specs.js";
import { drawStage } from "./stage.js";

type Kind = "drawer" | "door";

/** Depth, width and height of the cabinet; opening range (metres or radians); resistance. */
const RANGES = {
  drawer: {
    size: [
      [0.42, 0.5],
      [0.32, 0.5],
      [0.14, 0.24],
    ],
    range: [0.18, 0.3],
    damping: [4, 14],
    frictionLoss: [1, 4],
  },
  door: {
    size: [
      [0.3, 0.4],
      [0.3, 0.4],
      [0.3, 0.45],
    ],
    range: [1, 1.57],
    damping: [0.3, 1.5],
    frictionLoss: [0.1, 0.5],
  },
} as const;

/** Centre of the front: metres ahead of the robot, to its sides, and up. */
const FRONT_X = [0.66, 0.8] as const;
const FRONT_Y = [-0.15, 0.15] as const;
const FRONT_Z = [0.45, 0.9] as const;
const YAW = [-0.25, 0.25] as const;
const FRACTION = 0.75;
/** Opening that a hand must be able to follow: the required one and a margin. */
const PULLED = 0.85;
/** Distance of the bar from the front, and of a door's bar from its free edge. */
const BAR_OUT_M = 0.05;
const BAR_EDGE_M = 0.05;

/** Draws a drawer or a cabinet door to pull open. */
export const drawOpening: DrawEpisode = (robot, random, id, reach) => {
  const stage = drawStage(random, robot);
  const kind: Kind = random.below(2) === 0 ? "drawer" : "door";
  const fixture = drawFixture(random, kind);
  const closed = handleAt(fixture, 0);
  const open = handleAt(fixture, PULLED);
  const grasped = [closed, along(closed, -0.1)].every((pose) => reach.canReach(pose, stage));
  // The hand may rotate with the door or, because the bar is round, keep its orientation.
  const pulled = [open, { ...open, rotation_wxyz: closed.rotation_wxyz }].some((pose) => {
    return reach.canReach(pose, stage);
  });
  if (!grasped || !pulled) return { refused: "out of reach" };
  return {
    episodeId: id,
    taskType: "opening",
    sceneId: "cabinet",
    startState: { base_pose: stage.basePose, joint_positions: [...stage.joints] },
    goals: {
      target_fixture: { name: fixture.name },
      success_criteria: { type: "opened", opened_fraction: FRACTION },
    },
    instruction: {
      text: kind === "drawer" ? "Pull the drawer open." : "Open the door of the cabinet.",
    },
    taskConfig: { robot_config: { robot_type: robot.robotType }, fixtures: [fixture] },
  };
};

/** A fixture in the form of episodes on disk. */
interface FixtureDict {
  readonly name: string;
  readonly kind: Kind;
  /** Centre of the closed front. */
  readonly position: Vec3;
  readonly yaw: number;
  readonly size: Vec3;
  readonly range: number;
  readonly opened: number;
  readonly damping: number;
  readonly friction_loss: number;
}

function drawFixture(random: Random, kind: Kind): FixtureDict {
  const { size, range, damping, frictionLoss } = RANGES[kind];
  const draw = (limits: readonly [number, number]) => rounded(within(random, limits));
  return {
    name: `cabinet_${kind}`,
    kind,
    position: [draw(FRONT_X), draw(FRONT_Y), draw(FRONT_Z)],
    yaw: draw(YAW),
    size: [draw(size[0]), draw(size[1]), draw(size[2])],
    range: draw(range),
    opened: 0,
    damping: draw(damping),
    friction_loss: draw(frictionLoss),
  };
}

/** Pose of the bar at a share of opening: at the centre of a drawer, at the right of a door. */
function handleAt({ kind, position, yaw, size, range }: FixtureDict, opened: number): Pose3 {
  const front = aboutAxis([0, 0, 1], yaw);
  if (kind === "drawer") {
    const out: Vec3 = [-BAR_OUT_M - opened * range, 0, 0];
    return { position: add(position, rotate(front, out)), rotation_wxyz: front };
  }
  // The hinge is at the left; opening rotates clockwise seen from above.
  const rotation_wxyz = aboutAxis([0, 0, 1], yaw - opened * range);
  const hinge = add(position, rotate(front, [0, size[1] / 2, 0]));
  const bar = rotate(rotation_wxyz, [-BAR_OUT_M, BAR_EDGE_M - size[1], 0]);
  return { position: add(hinge, bar), rotation_wxyz };
}
