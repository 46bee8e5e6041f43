import { DataError } from "../core/errors.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import type { EpisodeMaker, Setting } from "./draft.js";
import { rounded } from "./ground.js";
import { centreOf } from "./instructions/floor-plan.js";
import type { Sampler } from "./sampler.js";
import { RayCaster } from "./sight/ray-caster.js";
import { ViewPoints } from "./sight/view-points.js";

/** Habitat's challenge (2022). */
export const OBJECT_CATEGORIES = [
  "chair",
  "couch",
  "plant",
  "bed",
  "toilet",
  "tv_monitor",
] as const;

/** Starts of one category's episodes are at least this far apart, metres. */
const SAME_M = 0.5;

interface Target {
  readonly object_id: number;
  readonly object_name: string;
  readonly position: Vec3;
  readonly viewPoints: readonly Vec3[];
}

/** All objects of a category that one can get to see. */
interface Category {
  readonly name: string;
  readonly targets: readonly Target[];
  readonly goals: Readonly<Record<string, unknown>>;
  readonly starts: Vec3[];
}

/** From a point to any object of a category. */
export function objectNavMaker(categories: readonly string[]): EpisodeMaker {
  return async (setting, count) => {
    const { model, sampler } = setting;
    const found = categoriesIn(setting, categories);
    if (found.length === 0) throw nothingToFind(setting, categories);
    // Each category in its turn, so that frequent objects do not crowd out the others.
    const order = sampler.random.shuffle(found);
    let turn = 0;
    return sampler.collect(count, async () => {
      const category = order[turn++ % order.length] as Category;
      const start = sampler.place();
      const nearest = start && nearestOf(setting, category, start);
      if (!start || !nearest) return undefined;
      if (category.starts.some((other) => distance3(other, start) < SAME_M)) {
        sampler.tally.reject("had already");
        return undefined;
      }
      category.starts.push(start);
      return {
        taskType: "objectnav",
        sceneId: model.id,
        startState: { position: start, rotation: sampler.rotation() },
        goals: category.goals,
        taskConfig: {
          geodesic_distance: nearest.geodesicM,
          euclidean_distance: rounded(nearest.straightM),
          closest_goal_object_id: nearest.object_id,
        },
      };
    });
  };
}

function categoriesIn({ model, ground, sampler }: Setting, names: readonly string[]): Category[] {
  const views = new ViewPoints(model, ground, sampler.island, new RayCaster(model));
  return names.flatMap((name): Category[] => {
    const targets = model.instances.flatMap((object, i): Target[] => {
      if (i === 0 || object.category !== name) return [];
      const viewPoints = views.of(i);
      if (viewPoints.length === 0) return [];
      const [x, y, z] = centreOf(object).map(rounded) as [number, number, number];
      return [{ object_id: i, object_name: object.name, position: [x, y, z], viewPoints }];
    });
    if (targets.length === 0) return [];
    const goals = {
      object_category: name,
      positions: targets.map(({ position }) => position),
      view_points: targets.flatMap(({ viewPoints }) => viewPoints),
      objects: targets.map(({ object_id, object_name, viewPoints }) => ({
        object_id,
        object_name,
        view_points: viewPoints.length,
      })),
    };
    return [{ name, targets, goals, starts: [] }];
  });
}

function nearestOf(
  { ground, sampler }: { readonly ground: Setting["ground"]; readonly sampler: Sampler },
  { targets }: Category,
  start: Vec3,
) {
  let best: { target: Target; geodesicM: number } | undefined;
  for (const target of targets) {
    const geodesicM = ground.distanceToAny(start, target.viewPoints);
    if (!best || geodesicM < best.geodesicM) best = { target, geodesicM };
  }
  if (!best) return undefined;
  const { target, geodesicM } = best;
  const straightM = target.viewPoints.reduce((least, point) => {
    return Math.min(least, distance3(start, point));
  }, Number.POSITIVE_INFINITY);
  if (!sampler.fits(geodesicM, straightM)) return undefined;
  return { object_id: target.object_id, geodesicM, straightM };
}

function nothingToFind({ model }: Setting, categories: readonly string[]): DataError {
  const known = [...new Set(model.instances.slice(1).map(({ category }) => category))].sort();
  return new DataError(
    "no_objects",
    `no object of ${categories.join(", ")} can be seen from where one can stand`,
    {
      where: model.id,
      hint: `name others with --categories; the scene has ${known.length > 0 ? known.join(", ") : "no named objects"}`,
    },
  );
}
