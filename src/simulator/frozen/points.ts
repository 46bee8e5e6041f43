import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import type { FactNeeds, ObjectAspect } from "../../core/rules/needs.js";
import type { FrozenDescription } from "./description.js";

type Described = Pick<FrozenDescription, "points">;

/** Whether a name in a rule is a point of the description, such as the middle between the fingers, and no body. */
export function isPoint({ points }: Described, name: string): boolean {
  return Object.hasOwn(points, name);
}

/** Poses of the points: the positions in the values that they name, without rotation. */
export function posesOfPoints(
  { points }: Described,
  values: ReadonlyMap<string, readonly number[]>,
): Record<string, Pose3> {
  return Object.fromEntries(
    Object.entries(points).map(([name, value]) => {
      const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = values.get(value) ?? [];
      return [name, { position: [x, y, z], rotation_wxyz: [1, 0, 0, 0] }];
    }),
  );
}

/** The facts to read of bodies. @throws DataError if a rule needs more of a point than its position */
export function withoutPoints(
  needs: FactNeeds,
  described: Described,
  { episodeId }: BaseEpisode,
): FactNeeds {
  const objects = new Map<string, ReadonlySet<ObjectAspect>>();
  for (const [name, aspects] of needs.objects) {
    if (!isPoint(described, name)) objects.set(name, aspects);
    else if (aspects.size > 1 || !aspects.has("pose")) {
      throw new DataError("unknown_target", `"${name}" is a point, which has a position only`, {
        where: `episode ${episodeId}, success_criteria`,
        hint: "use a predicate of positions, such as `near`, or name a body",
      });
    }
  }
  return { ...needs, objects };
}
