import { z } from "zod";
import { type BaseEpisode, goalPoints } from "../../core/episode/base.js";
import { quatXyzwSchema, vec3Schema } from "../../core/episode/number-lists.js";
import { DataError } from "../../core/errors.js";
import type { ColorImage } from "../../core/interfaces/observation.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import type { Camera } from "../render/renderer.js";
import { cameraOf } from "./cameras.js";
import type { SensorSettings } from "./navmesh-config.js";
import type { LoadedScene } from "./scene-library.js";

/** The camera pose and lens of an InstanceImageNav goal image. */
const imageGoal = z.looseObject({
  position: vec3Schema,
  rotation: quatXyzwSchema,
  hfov: z.number().gt(0).lt(180),
  image_dimensions: z.tuple([z.int().positive(), z.int().positive()]),
});

/** One goal image per episode, released together with the episode. */
const goalImages = new WeakMap<BaseEpisode, ColorImage>();

/**
 * The image seen at the goal. PointNav files do not give a viewing direction there, and Habitat's choice
 * differs between processes. Here the scene and the episode id determine the direction, so an episode's image
 * is the same everywhere.
 */
export function goalImage(
  episode: BaseEpisode,
  scene: LoadedScene,
  settings: SensorSettings,
): ColorImage {
  let image = goalImages.get(episode);
  if (!image) {
    const { width, height, rgb } = scene.renderer.render(goalCamera(episode, settings), {
      rgb: true,
    });
    image = { kind: "rgb", width, height, data: rgb ?? new Uint8Array() };
    goalImages.set(episode, image);
  }
  return image;
}

function goalCamera(episode: BaseEpisode, settings: SensorSettings): Camera {
  const given = imageGoal.safeParse(episode.goals.image_goal);
  if (given.success) {
    const { position, rotation, hfov, image_dimensions } = given.data;
    // Habitat stores the number of rows first.
    const [height, width] = image_dimensions;
    return { width, height, hfovDeg: hfov, position, rotation };
  }
  const [goal] = goalPoints(episode);
  if (!goal)
    throw new DataError(
      "no_goal",
      `episode ${episode.episodeId} has no goal to render an image of`,
    );
  const { sceneId, episodeId } = episode;
  const random = new Random(hash53(JSON.stringify(["goal image", sceneId, episodeId])));
  const headingRad = 2 * Math.PI * random.uniform();
  const pose = { position: goal.position, headingRad };
  return cameraOf(settings, { pose, tiltRad: 0, seed: 0, step: 0 });
}
