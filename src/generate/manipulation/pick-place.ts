import { flatDistance } from "../../agents/expert/pose.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { carryingFault } from "./carrying.js";
import type { DrawEpisode } from "./draw.js";
import { apart, type Placed, placeObject, spot } from "./layout.js";
import { drawObject } from "./object-specs.js";
import { drawStage, type Stage } from "./stage.js";
import { drawDistractors, tableEpisode } from "./table-episode.js";

/** Minimum distance of the target from the object; nearer, placing would hardly differ from leaving it. */
const AWAY_M = 0.15;
/** Minimum distance between the placed object and all others. */
const FREE_M = 0.04;
const MOST_DRAWS = 80;
const LIFT_M = 0.1;
const TOLERANCE_M = 0.05;

/** Draws an object among others, to move to another place on the table. */
export const drawPickPlace: DrawEpisode = (robot, random, id, reach) => {
  const stage = drawStage(random, robot);
  const spec = drawObject(random, "target", reach, []);
  const target = placeObject(random, stage, spec, []);
  if (!target) return { refused: "no room" };
  const others = drawDistractors(random, stage, reach, [target]);
  const to = freeSpot(() => spot(random, stage, spec.sizeM[2]), target, others);
  if (!to) return { refused: "no free space for the target" };
  const fault = carryingFault({ object: target, to, others, othersAtEnd: others }, stage, reach);
  if (fault) return { refused: fault };
  return {
    ...tableEpisode(id, "pick_place", robot, stage, random.shuffle([target, ...others])),
    goals: {
      target_object: { name: spec.name },
      target_location: { position: to },
      success_criteria: {
        type: "grasp_and_lift",
        lift_height: LIFT_M,
        place_tolerance: TOLERANCE_M,
      },
    },
    instruction: {
      text: `Pick up the ${spec.words} and put it ${partOfTable(to, stage)} of the table.`,
    },
  };
};

/** The part of the table that a point is in, as the robot sees it: it looks along +x, left is +y. */
function partOfTable([, y]: Vec3, { table, objectY }: Stage): string {
  const third = (objectY[1] - objectY[0]) / 6;
  const off = y - table.position[1];
  if (off > third) return "on the left side";
  return off < -third ? "on the right side" : "in the middle";
}

function freeSpot(draw: () => Vec3, target: Placed, others: readonly Placed[]): Vec3 | undefined {
  for (let i = 0; i < MOST_DRAWS; i++) {
    const to = draw();
    const there: Placed = { ...target, position: to };
    if (flatDistance(to, target.position) < AWAY_M) continue;
    if (others.every((other) => apart(there, other) >= FREE_M)) return to;
  }
  return undefined;
}
