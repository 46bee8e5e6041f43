import type { EpisodeMaker, Pair } from "./sampler.js";

/** As PointNav's files have it; what counts as success is the profile's to say. */
const RADIUS_M = 0.2;

/** From a point to what is seen at another. */
export const makeImageNav: EpisodeMaker = async ({ model, sampler }, count) => {
  const pairs: Pair[] = [];
  await sampler.collect(count, async () => {
    const pair = sampler.pair(pairs);
    if (pair) pairs.push(pair);
    return pair;
  });
  return pairs.map(({ start, rotation, goal, geodesicM }) => ({
    taskType: "image_nav",
    sceneId: model.id,
    startState: { position: start, rotation },
    goals: { position: goal, radius: RADIUS_M },
    taskConfig: { geodesic_distance: geodesicM },
  }));
};
