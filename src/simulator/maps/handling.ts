import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { quatXyzwToHeading } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import type { TakenStep } from "./top-down.js";

/** An object that a robot carries across a scene. Positions in the axes of the scene. */
export interface Handling {
  readonly objectStart: Vec3;
  readonly objectEnd: Vec3;
  /** Names of furniture. */
  readonly startReceptacle: string | undefined;
  readonly goalReceptacle: string | undefined;
}

/** Where a robot with a moving base stood, in the axes of the scene; undefined if the state does not say it. */
export function stepOf(state: StepState): TakenStep | undefined {
  const { position, heading, rotation, base_pose, collided, carried } = state;
  const common = { collided: collided === true, loaded: carried === 1 };
  if (position) {
    const headingRad = heading ?? (rotation ? quatXyzwToHeading(rotation) : undefined);
    return { position, ...(headingRad === undefined ? {} : { headingRad }), ...common };
  }
  if (!base_pose) return undefined;
  const [x, y, theta] = base_pose;
  // MuJoCo counts from +x, the scene from -z.
  return { position: fromZUp([x, y, 0]), headingRad: theta - Math.PI / 2, ...common };
}

/** True if the robot drove in a world of MuJoCo, not in a navigation scene. */
export function isDrive(records: readonly StepRecord[]): boolean {
  return records.some(({ state }) => state.base_pose !== undefined);
}

/** The target object's way from the episode's goals and the recorded states. */
export function handlingOf(
  { goals }: BaseEpisode,
  records: readonly StepRecord[],
): Handling | undefined {
  const name = textIn(goals.target_object, "name");
  const places = records.flatMap(({ state }) => {
    const place = name === undefined ? undefined : state.objects?.[name];
    return place ? [fromZUp(place.position)] : [];
  });
  const [objectStart, objectEnd] = [places[0], places.at(-1)];
  if (!objectStart || !objectEnd) return undefined;
  return {
    objectStart,
    objectEnd,
    startReceptacle: textIn(goals.start_receptacle, "name"),
    goalReceptacle: textIn(goals.target_location, "receptacle"),
  };
}

/** Converts MuJoCo's axes to those of the scene. */
function fromZUp([x, y, z]: Vec3): Vec3 {
  return [x, z, 0 - y];
}

function textIn(value: unknown, key: string): string | undefined {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}
