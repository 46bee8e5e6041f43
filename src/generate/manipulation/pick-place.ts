import { flatDistance } from "../../agents/expert/pose.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { carryingFault } from "./carrying.js";
import type { DrawEpisode } from "./draw.js";
import { apart, type Placed, spot, standThing } from "./layout.js";
import { drawStage } from "./stage.js";
import { drawDistractors, tableEpisode } from "./table-episode.js";
import { drawThing } from "./things.js";
import { putWords } from "./words.js";

/** Nearer, and putting it down would hardly differ from leaving it. */
const AWAY_M = 0.15;
/** Between where the object comes to stand and everything else. */
const FREE_M = 0.04;
const MOST_DRAWS = 80;
const LIFT_M = 0.1;
const TOLERANCE_M = 0.05;

/** An object among others, to be brought to another place on the table. */
export const drawPickPlace: DrawEpisode = (robot, random, id, reach) => {
  const stage = drawStage(random, robot);
  const thing = drawThing(random, "target", reach, []);
  const target = standThing(random, stage, thing, []);
  if (!target) return { refused: "no room" };
  const others = drawDistractors(random, stage, reach, [target]);
  const to = freeSpot(() => spot(random, stage, thing.sizeM[2]), target, others);
  if (!to) return { refused: "no room for the target" };
  const fault = carryingFault({ object: target, to, others, othersAtEnd: others }, stage, reach);
  if (fault) return { refused: fault };
  return {
    ...tableEpisode(id, "pick_place", robot, stage, random.shuffle([target, ...others])),
    goals: {
      target_object: { name: thing.name },
      target_location: { position: to },
      success_criteria: {
        type: "grasp_and_lift",
        lift_height: LIFT_M,
        place_tolerance: TOLERANCE_M,
      },
    },
    instruction: { text: putWords(thing.words, to, stage) },
  };
};

function freeSpot(draw: () => Vec3, target: Placed, others: readonly Placed[]): Vec3 | undefined {
  for (let i = 0; i < MOST_DRAWS; i++) {
    const to = draw();
    const there: Placed = { ...target, position: to };
    if (flatDistance(to, target.position) < AWAY_M) continue;
    if (others.every((other) => apart(there, other) >= FREE_M)) return to;
  }
  return undefined;
}
