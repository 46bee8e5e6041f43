import { z } from "zod";
import type { BaseEpisode } from "../../../core/episode/base.js";

const named = z.looseObject({ name: z.string(), category: z.string().optional() });

const goals = z.looseObject({
  target_object: named.optional().catch(undefined),
  start_receptacle: named.optional().catch(undefined),
  target_location: z
    .looseObject({ receptacle: z.string(), category: z.string().optional() })
    .optional()
    .catch(undefined),
});

const objects = z.array(
  z.looseObject({ name: z.string(), model: z.string().optional(), color: z.unknown() }),
);

const drawers = z.array(z.looseObject({ name: z.string() }));

/** The parts of a rearrange episode that lint rules check; undefined for other tasks. */
export function rearrangeOf(episode: BaseEpisode) {
  if (episode.taskType !== "rearrange") return undefined;
  const { data } = goals.safeParse(episode.goals);
  const { scene_objects, drawers: moving } = episode.taskConfig;
  return {
    ...data,
    objects: objects.safeParse(scene_objects).data ?? [],
    drawers: drawers.safeParse(moving).data ?? [],
  };
}
