import { flatDistance } from "../../agents/expert/pose.js";
import { carryingFault } from "./carrying.js";
import type { DrawEpisode } from "./draw.js";
import { placeObject } from "./layout.js";
import { drawObject } from "./object-specs.js";
import { drawStage } from "./stage.js";
import { drawDistractors, tableEpisode } from "./table-episode.js";

const AWAY_M = 0.15;
const LIFT_M = 0.05;

/** Draws an object to put on another that is broad enough for it. */
export const drawStacking: DrawEpisode = (robot, random, id, reach) => {
  const stage = drawStage(random, robot);
  const baseSpec = drawObject(random, "base", reach, []);
  const base = placeObject(random, stage, baseSpec, []);
  if (!base) return { refused: "no room" };
  const spec = drawObject(random, "target", reach, [baseSpec]);
  const target = placeObject(random, stage, spec, [base]);
  if (!target) return { refused: "no room" };
  if (flatDistance(target.position, base.position) < AWAY_M) return { refused: "too near" };
  const others = drawDistractors(random, stage, reach, [target, base]);
  const [x, y, z] = base.position;
  const fault = carryingFault(
    {
      object: target,
      to: [x, y, z + baseSpec.sizeM[2] / 2 + spec.sizeM[2] / 2],
      others: [base, ...others],
      othersAtEnd: others,
    },
    stage,
    reach,
  );
  if (fault) return { refused: fault };
  return {
    ...tableEpisode(id, "stacking", robot, stage, random.shuffle([target, base, ...others])),
    goals: {
      target_object: { name: spec.name },
      target_location: { object: baseSpec.name },
      success_criteria: { type: "stacked", lift_height: LIFT_M },
    },
    instruction: { text: `Pick up the ${spec.words} and put it on top of the ${baseSpec.words}.` },
  };
};
