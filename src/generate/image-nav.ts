import type { EpisodeMaker, Pair } from "./sampler.js";

/** Goal radius as in PointNav's files, in metres. The profile of the metrics decides about success. */
const RADIUS_M = 0.2;

/** Makes episodes from a start to the view at a goal point. */
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
