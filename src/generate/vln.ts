import { quatXyzwToHeading } from "../core/math/rotation.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import { type Ground, roundedPoint } from "./ground.js";
import { describePath } from "./instructions/instruction.js";
import { densified, type Polyline, simplified } from "./polyline.js";
import type { EpisodeDraft, EpisodeMaker, Pair, Setting } from "./sampler.js";
import { wordsOf } from "./vocabulary.js";

/** Success radius of R2R in metres. */
const RADIUS_M = 3;
/** Token lists of R2R-CE have 200 entries. */
const MAX_WORDS = 200;

/** A path followed with the task's own actions. */
interface Walk {
  /** The start, and the position after each forward step. */
  readonly locations: readonly Vec3[];
  /** Action names, with the final `stop`. */
  readonly actions: readonly string[];
  /** Remaining distance to the goal at the end, in metres. */
  readonly leftM: number;
}

/** Follows an episode's path; undefined if the follower did not stop. */
export type Follow = (episode: EpisodeDraft) => Promise<Walk | undefined>;

/** Maximum distance from the goal at the end of a ground-truth path, in metres. */
const ARRIVED_M = 0.5;

/** Makes episodes with instructions, reference paths and, if possible, ground-truth paths. */
export function vlnMaker(follow: Follow | undefined): EpisodeMaker {
  return async (setting, count) => {
    const pairs: Pair[] = [];
    const texts = new Set<string>();
    return setting.sampler.collect(count, async () => {
      const pair = setting.sampler.pair(pairs);
      const draft = pair && withInstruction(setting, pair, texts);
      if (!pair || !draft) return undefined;
      const whole = follow ? await withGroundTruth(setting, draft, follow) : draft;
      if (!whole) return undefined;
      pairs.push(pair);
      texts.add(draft.instruction?.text ?? "");
      return whole;
    });
  };
}

function withInstruction(
  { model, ground, sampler }: Setting,
  { start, rotation, goal, geodesicM }: Pair,
  texts: ReadonlySet<string>,
): EpisodeDraft | undefined {
  const path = ground.path(start, goal);
  if (path.length < 2) return sampler.draws.reject("no path");
  // The navmesh's end points differ from the written ones by rounding.
  const way = [start, ...path.slice(1, -1), goal];
  const headingRad = quatXyzwToHeading(rotation);
  const text = describePath(model, { path: way, headingRad }, sampler.random);
  if (text === undefined || wordsOf(text).length > MAX_WORDS) {
    return sampler.draws.reject("unclear or long instruction");
  }
  if (texts.has(text)) return sampler.draws.reject("duplicate instruction");
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

async function withGroundTruth(
  { sampler }: Setting,
  draft: EpisodeDraft,
  follow: Follow,
): Promise<EpisodeDraft | undefined> {
  const walk = await follow(draft);
  if (!walk || walk.leftM > ARRIVED_M) {
    return sampler.draws.reject("path not followed to the goal");
  }
  return {
    ...draft,
    referenceData: { ...draft.referenceData, dense_path: walk.locations.map(roundedPoint) },
    taskConfig: { ...draft.taskConfig, gt_actions: walk.actions },
  };
}

/** Deviations from a straight line up to this are no corners of the reference path, in metres. */
const TOLERANCE_M = 0.1;
/** Maximum distance between points of the reference path in metres, about that of R2R's viewpoints. */
const STRETCH_M = 2.25;

/** The corners of a path, with points between them at most `STRETCH_M` apart. */
function referencePath(ground: Ground, path: Polyline): Vec3[] {
  const [first, last] = [path[0], path.at(-1)];
  const points = densified(simplified(path, TOLERANCE_M), STRETCH_M);
  return points.map((point) => {
    if (first && last && (point === first || point === last)) return point;
    // The floor between two corners may be uneven, so points between them are moved onto it.
    const snapped = ground.snap(point);
    return roundedPoint(snapped && distance3(snapped, point) < 0.5 ? snapped : point);
  });
}
