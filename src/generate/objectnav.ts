import { DataError } from "../core/errors.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import type { SceneInstance } from "../simulator/scenes/model.js";
import { rounded, roundedPoint } from "./ground.js";
import { centreOf, floorDistance } from "./instructions/floor-plan.js";
import type { EpisodeMaker, Setting } from "./sampler.js";
import { RayCaster } from "./sight/ray-caster.js";
import { ViewPoints } from "./sight/view-points.js";

/** Minimum distance between the starts of one category's episodes, in metres. */
const SAME_M = 0.5;

interface Target {
  readonly object_id: number;
  readonly object_name: string;
  readonly position: Vec3;
  readonly viewPoints: readonly Vec3[];
}

/** All visible objects of a category. */
interface Category {
  readonly targets: readonly Target[];
  readonly goals: Readonly<Record<string, unknown>>;
  readonly starts: Vec3[];
  /** Rejected draws since the last accepted one. */
  misses: number;
}

/** Number of rejected draws that lowers a category's priority by one episode. */
const MISSES_PER_RANK = 40;

/** Makes episodes from a point to any object of a category. */
export function objectNavMaker(categories: readonly string[]): EpisodeMaker {
  return async (setting, count) => {
    const { model, sampler } = setting;
    const found = categoriesIn(setting, sampler.random.shuffle(categories));
    if (found.length === 0) throw nothingToFind(setting, categories);
    return sampler.collect(count, async () => {
      const category = nextOf(found);
      category.misses++;
      const start = sampler.place();
      const nearest = start && nearestOf(setting, category, start);
      if (!start || !nearest) return undefined;
      if (category.starts.some((other) => distance3(other, start) < SAME_M)) {
        return sampler.draws.reject("duplicate");
      }
      category.starts.push(start);
      category.misses = 0;
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

/** The category with the fewest episodes: chairs are everywhere, but seldom far enough away. */
function nextOf(categories: readonly Category[]): Category {
  const rank = ({ starts, misses }: Category) =>
    starts.length + Math.floor(misses / MISSES_PER_RANK);
  return categories.reduce((best, one) => (rank(one) < rank(best) ? one : best));
}

function categoriesIn({ model, ground, sampler }: Setting, names: readonly string[]): Category[] {
  const views = new ViewPoints(model, ground, sampler.island, new RayCaster(model));
  return names.flatMap((name): Category[] => {
    const targets = assignSharedPoints(
      model.instances.flatMap((object, i): Seen[] => {
        if (i === 0 || object.category !== name) return [];
        return [{ object_id: i, object, viewPoints: views.of(i) }];
      }),
    );
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
    return [{ targets, goals, starts: [], misses: 0 }];
  });
}

interface Seen {
  readonly object_id: number;
  readonly object: SceneInstance;
  readonly viewPoints: readonly Vec3[];
}

/**
 * Assigns each shared view point to the nearest object. Chairs around a table are all visible from the same points,
 * and duplicates would multiply them; any of the objects counts as the goal.
 */
function assignSharedPoints(seen: readonly Seen[]): Target[] {
  const nearest = new Map<string, { readonly id: number; readonly away: number }>();
  for (const { object_id: id, object, viewPoints } of seen) {
    for (const point of viewPoints) {
      const away = floorDistance(object, point);
      const known = nearest.get(point.join());
      if (!known || away < known.away) nearest.set(point.join(), { id, away });
    }
  }
  return seen.flatMap(({ object_id, object, viewPoints }): Target[] => {
    const own = viewPoints.filter((point) => nearest.get(point.join())?.id === object_id);
    if (own.length === 0) return [];
    const position = roundedPoint(centreOf(object));
    return [{ object_id, object_name: object.name, position, viewPoints: own }];
  });
}

function nearestOf({ ground, sampler }: Setting, { targets }: Category, start: Vec3) {
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
    `no object of ${categories.join(", ")} is visible from a reachable point`,
    {
      where: model.id,
      hint: `choose others with --categories; the scene has ${known.length > 0 ? known.join(", ") : "no named objects"}`,
    },
  );
}
