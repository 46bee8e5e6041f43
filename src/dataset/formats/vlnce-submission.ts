import { z } from "zod";
import type { BaseEpisode } from "../../core/episode/base.js";
import { vec3Schema } from "../../core/episode/number-lists.js";
import { show } from "../../core/errors.js";
import { STOP } from "../../core/interfaces/action.js";
import { wrapAngle } from "../../core/math/rotation.js";
import { distance3, samePoint, type Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import { check, type DataLocation, errorAt } from "../check.js";
import type { SubmissionFormat, SubmissionStep } from "../format.js";
import { hasKeys } from "../readers/json.js";
import { streamMembers } from "../readers/json-stream.js";

const stateSchema = z.looseObject({
  position: vec3Schema,
  /** In radians, 0 along -z, counter-clockwise, which is our convention too. */
  heading: z.number().optional(),
  stop: z.boolean(),
});

type AgentState = z.output<typeof stateSchema>;

/** Maximum distance in metres by which a simulator may snap the start position to the navmesh. */
const START_TOLERANCE = 0.05;

/**
 * R2R-CE submissions: `{"<episode_id>": [{position, heading, stop}, ...]}`, the agent's states from the one
 * after reset. Whether consecutive states are connected cannot be checked without a navmesh.
 */
export const vlnceSubmission: SubmissionFormat = {
  detect: ({ head }) => {
    const [states] = isRecord(head) ? Object.values(head) : [];
    return Array.isArray(states) && hasKeys(states[0], "position", "stop");
  },

  async *predictions(path) {
    for await (const [episodeId, raw] of streamMembers(path, "states by episode id")) {
      yield { episodeId, raw, where: `${path}, ${show(episodeId)}` };
    }
  },

  async trajectory(prediction, episode) {
    const at: DataLocation = {
      file: prediction.where,
      item: "states",
      subject: `episode ${episode.episodeId}`,
    };
    const states = check(z.array(stateSchema), prediction.raw, at);
    checkStart(
      states.map(({ position }) => position),
      episode,
      at,
    );
    const stop = states.findIndex((state) => state.stop);
    if (stop !== -1 && stop !== states.length - 1) {
      const problem = `state ${stop} of ${states.length} is a stop, but other states follow`;
      const hint = "end the trajectory at the first stop";
      throw errorAt(at, "step_after_stop", problem, { hint });
    }
    const steps = states.map((state, i): SubmissionStep => {
      const { position, heading } = state;
      return { place: { position }, action: actionBetween(states[i - 1], state), heading };
    });
    const { episodeId, sceneId } = episode;
    return { episodeId, sceneId, steps, stopped: stop !== -1 };
  },
};

/**
 * Infers the action between two states, which the file does not name. R2R-CE's four actions make it
 * unambiguous: a turn keeps the position, and an unchanged state is a blocked step forward.
 */
function actionBetween(before: AgentState | undefined, after: AgentState): string | null {
  if (!before) return null;
  if (after.stop) return STOP;
  if (!samePoint(before.position, after.position)) return "move_forward";
  const turn = wrapAngle((after.heading ?? 0) - (before.heading ?? 0));
  if (turn === 0) return "move_forward";
  return turn > 0 ? "turn_left" : "turn_right";
}

/** Checks that a trajectory in a continuous scene is not empty and begins at the episode's start. */
export function checkStart(
  positions: readonly Vec3[],
  episode: BaseEpisode,
  at: DataLocation,
): void {
  const [first] = positions;
  if (!first) {
    const hint = "list at least the state after reset";
    throw errorAt(at, "empty_trajectory", "the trajectory is empty", { hint });
  }
  const start = episode.startState.position;
  if (!start || distance3(first, start) <= START_TOLERANCE) return;
  const problem = `starts at ${show(first)}, but the episode starts at ${show(start)}`;
  const hint = "begin with the state after reset, before any action";
  throw errorAt(at, "wrong_start", problem, { field: "state 0", hint });
}
