import type { BaseEpisode } from "../core/episode/base.js";
import { quatXyzwToHeading } from "../core/math/rotation.js";
import type { Vec3 } from "../core/math/vec3.js";
import type { EpisodeDraft, EpisodeMaker, Setting } from "./draft.js";
import { roundedPoint } from "./ground.js";
import { tellWay } from "./instructions/instruction.js";
import { referencePath } from "./reference-path.js";
import type { Pair } from "./sampler.js";
import { wordsOf } from "./vocabulary.js";

/** R2R's: the goal is reached within 3 m. */
const RADIUS_M = 3;
/** R2R-CE's lists of tokens hold 200. */
const MOST_WORDS = 200;

/** What somebody did who walked an episode's way with the task's own actions. */
interface Walk {
  /** The start, and where each step forward led. */
  readonly locations: readonly Vec3[];
  /** By name, with the final `stop`. */
  readonly actions: readonly string[];
  /** What was left of the way at the end, metres. */
  readonly leftM: number;
}

/** Walks an episode's way; undefined where the walker did not stop. */
export type Follow = (episode: EpisodeDraft) => Promise<Walk | undefined>;

/** How near the goal a walk must end to be the ground truth, metres. */
const ARRIVED_M = 0.5;

/** Ways with instructions, the points that tell them, and somebody's walk along them. */
export function vlnMaker(follow: Follow | undefined): EpisodeMaker {
  return async (setting, count) => {
    const pairs: Pair[] = [];
    const texts = new Set<string>();
    return setting.sampler.collect(count, async () => {
      const pair = setting.sampler.pair(pairs);
      const draft = pair && told(setting, pair, texts);
      if (!pair || !draft) return undefined;
      const whole = follow ? await walked(setting, draft, follow) : draft;
      if (!whole) return undefined;
      pairs.push(pair);
      texts.add(draft.instruction?.text ?? "");
      return whole;
    });
  };
}

function told(
  { model, ground, sampler }: Setting,
  { start, rotation, goal, geodesicM }: Pair,
  texts: ReadonlySet<string>,
): EpisodeDraft | undefined {
  const path = ground.path(start, goal);
  if (path.length < 2) {
    sampler.tally.reject("without a path");
    return undefined;
  }
  // The mesh's own ends differ from the written ones by what rounding did.
  const way = [start, ...path.slice(1, -1), goal];
  const headingRad = quatXyzwToHeading(rotation);
  const text = tellWay(model, { path: way, headingRad }, sampler.random);
  if (text === undefined || wordsOf(text).length > MOST_WORDS) {
    sampler.tally.reject("not told without doubt");
    return undefined;
  }
  if (texts.has(text)) {
    sampler.tally.reject("told in the same words as another");
    return undefined;
  }
  return {
    taskType: "vln",
    sceneId: model.id,
    startState: { position: start, rotation },
    goals: { position: goal, radius: RADIUS_M },
    instruction: { text },
    referenceData: { path: referencePath(ground, way) },
    taskConfig: { geodesic_distance: geodesicM },
  };
}

async function walked(
  { sampler }: Setting,
  draft: EpisodeDraft,
  follow: Follow,
): Promise<EpisodeDraft | undefined> {
  const walk = await follow(draft);
  if (!walk || walk.leftM > ARRIVED_M) {
    sampler.tally.reject("not walked to the end");
    return undefined;
  }
  const reference: BaseEpisode["referenceData"] = {
    ...draft.referenceData,
    dense_path: walk.locations.map(roundedPoint),
  };
  return {
    ...draft,
    referenceData: reference,
    taskConfig: { ...draft.taskConfig, gt_actions: walk.actions },
  };
}
