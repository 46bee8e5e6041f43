import { z } from "zod";
import type { BaseEpisode, EpisodeInit } from "../../core/episode/base.js";
import { quatXyzwSchema, vec3Schema } from "../../core/episode/number-lists.js";
import { isRecord } from "../../core/record.js";
import { type DataLocation, idSchema, subjectOf } from "../check.js";
import { hasKeys } from "../readers/json.js";
import { normaliseSceneId } from "../scenes.js";

/** Fields of every episode in Habitat's datasets (Savva et al., ICCV 2019). */
export const habitatFields = {
  episode_id: idSchema,
  scene_id: z.string().min(1),
  /** The configuration with which a simulator loads the scene: lights, semantic annotations. */
  scene_dataset_config: z.string().nullish(),
  start_position: vec3Schema,
  start_rotation: quatXyzwSchema,
  // Not checked, because an unreachable goal has Python's bare Infinity here.
  info: z.looseObject({}).nullish(),
};

export const pointGoal = z.looseObject({
  position: vec3Schema,
  radius: z.number().nonnegative().nullish(),
});

type HabitatEpisode = z.output<z.ZodObject<typeof habitatFields>>;

/** Locates an entry of `episodes`, with its id if it has one. */
export function placeOf(file: string, index: number, raw: unknown, text: string): DataLocation {
  const subject = subjectOf(raw, "episode_id", text);
  return { file, item: `episodes[${index}]`, subject, text };
}

/** Reads id, scene and start. Ids are numbers in some files and become text. */
export function startOf(
  raw: HabitatEpisode,
): Pick<EpisodeInit, "episodeId" | "sceneId" | "startState"> {
  return {
    episodeId: raw.episode_id,
    sceneId: normaliseSceneId(raw.scene_id),
    startState: { position: raw.start_position, rotation: raw.start_rotation },
  };
}

/** Reads the given keys of `info`, and the scene's configuration. */
export function infoOf(
  raw: HabitatEpisode,
  ...keys: readonly string[]
): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(keys.map((key) => [key, raw.info?.[key]])),
    scene_dataset_config: raw.scene_dataset_config ?? undefined,
  };
}

/** Several goals are alternatives: reaching any one of them is success. */
export function pointGoals(
  goals: readonly z.output<typeof pointGoal>[] | null | undefined,
): BaseEpisode["goals"] {
  const [first, ...others] = goals ?? [];
  if (!first) return {};
  const one = { position: first.position, radius: first.radius };
  if (others.length === 0) return one;
  return { ...one, positions: [first, ...others].map((goal) => goal.position) };
}

/** The first episode of a document, if it is in Habitat's layout. */
export function firstHabitatEpisode(head: unknown): Readonly<Record<string, unknown>> | undefined {
  const first: unknown =
    isRecord(head) && Array.isArray(head.episodes) ? head.episodes[0] : undefined;
  return hasKeys(first, "episode_id", "start_position", "start_rotation") ? first : undefined;
}
