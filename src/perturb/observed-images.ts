import { type Image, isImage, type Observation } from "../core/interfaces/observation.js";

/** An image of the goal, which no camera takes during the episode. */
const GOAL = "imagegoal";

/**
 * An observation with changed images of one kind. An image is changed when it is first read, so that images that the
 * policy ignores are not rendered.
 */
export function withImages<K extends Image["kind"]>(
  observation: Observation,
  kind: K,
  change: (image: Extract<Image, { kind: K }>, sensor: string) => Image,
): Observation {
  const changed: Record<string, unknown> = {};
  for (const sensor of Object.keys(observation)) {
    let value: unknown;
    let isRead = false;
    Object.defineProperty(changed, sensor, {
      enumerable: true,
      get: () => {
        if (!isRead) {
          const seen = observation[sensor];
          value = sensor !== GOAL && isKind(seen, kind) ? change(seen, sensor) : seen;
          isRead = true;
        }
        return value;
      },
    });
  }
  return changed;
}

function isKind<K extends Image["kind"]>(
  value: unknown,
  kind: K,
): value is Extract<Image, { kind: K }> {
  return isImage(value) && value.kind === kind;
}
