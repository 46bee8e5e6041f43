import { flatDistance } from "../../agents/expert/pose.js";
import { carryingFault } from "./carrying.js";
import type { DrawEpisode } from "./draw.js";
import { standThing } from "./layout.js";
import { drawStage } from "./stage.js";
import { drawDistractors, tableEpisode } from "./table-episode.js";
import { drawThing } from "./things.js";
import { stackWords } from "./words.js";

const AWAY_M = 0.15;
const LIFT_M = 0.05;

/** An object to be put onto another that is broad enough for it. */
export const drawStacking: DrawEpisode = (robot, random, id, reach) => {
  const stage = drawStage(random, robot);
  const baseThing = drawThing(random, "base", reach, []);
  const base = standThing(random, stage, baseThing, []);
  if (!base) return { refused: "no room" };
  const thing = drawThing(random, "target", reach, [baseThing]);
  const target = standThing(random, stage, thing, [base]);
  if (!target) return { refused: "no room" };
  if (flatDistance(target.position, base.position) < AWAY_M) return { refused: "too near" };
  const others = drawDistractors(random, stage, reach, [target, base]);
  const [x, y, z] = base.position;
  const fault = carryingFault(
    {
      object: target,
      to: [x, y, z + baseThing.sizeM[2] / 2 + thing.sizeM[2] / 2],
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
      target_object: { name: thing.name },
      target_location: { object: baseThing.name },
      success_criteria: { type: "stacked", lift_height: LIFT_M },
    },
    instruction: { text: stackWords(thing.words, baseThing.words) },
  };
};
