import type { BaseEpisode } from "../../../core/episode/base.js";
import type { ManipulationWorld } from "../world.js";
import {
  findNamed,
  openingGoals,
  pickPlaceGoals,
  readGoals,
  ruleOf,
  stackingGoals,
} from "./goals.js";
import { DEFAULT_FRACTION, OpeningJudge } from "./opening.js";
import { DEFAULT_LIFT_M, DEFAULT_TOLERANCE_M, PickPlaceJudge } from "./pick-place.js";
import { DEFAULT_STACK_LIFT_M, defaultStackTolerance, StackingJudge } from "./stacking.js";
import type { Judge, Verdict } from "./verdict.js";

export { readFacts } from "./facts.js";
export type { Judge } from "./verdict.js";

/** The judge that an episode's success criteria ask for, or else its task. */
export function makeJudge(episode: BaseEpisode, taskType: string, world: ManipulationWorld): Judge {
  const rule = ruleOf(episode, taskType);
  switch (rule) {
    case "grasp_and_lift": {
      const { target_object, target_location, success_criteria } = readGoals(
        episode,
        pickPlaceGoals,
      );
      const { name } = findNamed(world.objects, target_object.name, episode, "target_object.name");
      return new PickPlaceJudge({
        object: name,
        target: target_location.position,
        liftM: success_criteria.lift_height ?? DEFAULT_LIFT_M,
        toleranceM: success_criteria.place_tolerance ?? DEFAULT_TOLERANCE_M,
      });
    }
    case "stacked": {
      const { target_object, target_location, success_criteria } = readGoals(
        episode,
        stackingGoals,
      );
      const { objects } = world;
      const { name } = findNamed(objects, target_object.name, episode, "target_object.name");
      const others = objects.filter((object) => object.name !== name);
      const base = findNamed(others, target_location.object, episode, "target_location.object");
      return new StackingJudge({
        object: name,
        base: base.name,
        liftM: success_criteria.lift_height ?? DEFAULT_STACK_LIFT_M,
        toleranceM: success_criteria.place_tolerance ?? defaultStackTolerance(base.sizeM),
      });
    }
    case "opened": {
      const { target_fixture, success_criteria } = readGoals(episode, openingGoals);
      const { fixtures } = world;
      const fixture = findNamed(fixtures, target_fixture.name, episode, "target_fixture.name");
      return new OpeningJudge({
        fixture: fixture.name,
        kind: fixture.kind,
        fraction: success_criteria.opened_fraction ?? DEFAULT_FRACTION,
      });
    }
    case undefined:
      return UNJUDGED;
  }
}

/** Nobody asked for anything, so nothing is ever won. */
const UNJUDGED: Judge = {
  watches: [],
  reset() {},
  update: (): Verdict => ({ conditions: [], stages: {}, success: false }),
};
