import { z } from "zod";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { vec3Schema } from "../../../core/episode/number-lists.js";
import { DataError, show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";

const positive = z.number().positive();
const named = z.looseObject({ name: z.string().min(1) });

/** Of `success_criteria`, what the rules of this kind read; every number has a default there. */
const criteria = z
  .looseObject({
    /** Metres. */
    lift_height: positive.optional(),
    place_tolerance: positive.optional(),
    /** 0 to 1. */
    opened_fraction: positive.max(1).optional(),
  })
  .default({});

export const pickPlaceGoals = z.looseObject({
  target_object: named,
  /** Where the middle of the object is to come. */
  target_location: z.looseObject({ position: vec3Schema }),
  success_criteria: criteria,
});

export const stackingGoals = z.looseObject({
  target_object: named,
  /** The object to stack it onto. */
  target_location: z.looseObject({ object: z.string().min(1) }),
  success_criteria: criteria,
});

export const openingGoals = z.looseObject({ target_fixture: named, success_criteria: criteria });

/** The rules there are, and the tasks that go by each where the goals do not say. */
const RULE_OF_TASK = {
  pick_place: "grasp_and_lift",
  stacking: "stacked",
  opening: "opened",
} as const satisfies Readonly<Record<string, string>>;

const RULES = Object.values(RULE_OF_TASK);
export type Rule = (typeof RULES)[number];

/** Which rule judges an episode; undefined where nobody asks for one. */
export function ruleOf(episode: BaseEpisode, taskType: string): Rule | undefined {
  const { success_criteria } = episode.goals;
  const type = isRecord(success_criteria) ? success_criteria.type : undefined;
  if (type === undefined) {
    return Object.entries(RULE_OF_TASK).find(([task]) => task === taskType)?.[1];
  }
  const rule = RULES.find((name) => name === type);
  if (rule) return rule;
  throw new DataError("unknown_criteria", `there are no success criteria ${show(type)}`, {
    where: `episode ${episode.episodeId}, goals.success_criteria.type`,
    hint: typeof type === "string" ? suggestion(type, RULES) : `valid are: ${RULES.join(", ")}`,
  });
}

export function readGoals<T>(episode: BaseEpisode, schema: z.ZodType<T>): T {
  const result = schema.safeParse(episode.goals);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  throw new DataError("bad_goals", `the goals are not what the task needs: ${issue?.message}`, {
    where: `episode ${episode.episodeId}, ${["goals", ...path].join(".")}`,
    hint: "see the episodes of `robot-eval generate` for what they hold",
  });
}

/** The thing of that name in the episode's world, or an error that says which there are. */
export function findNamed<T extends { readonly name: string }>(
  things: readonly T[],
  name: string,
  episode: BaseEpisode,
  field: string,
): T {
  const found = things.find((thing) => thing.name === name);
  if (found) return found;
  const names = things.map((thing) => thing.name);
  throw new DataError("unknown_target", `"${name}" is not in the episode's scene`, {
    where: `episode ${episode.episodeId}, goals.${field}`,
    hint: names.length > 0 ? suggestion(name, names) : "the scene has none of this kind",
  });
}
