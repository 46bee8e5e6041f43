import { z } from "zod";
import type { BaseEpisode } from "../../core/episode/base.js";
import { vec3Schema } from "../../core/episode/number-lists.js";
import { DataError, show } from "../../core/errors.js";
import { STOP } from "../../core/interfaces/action.js";
import { wrapAngle } from "../../core/math/rotation.js";
import { distance3, samePoint, type Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import { check, type DataPlace, whereOf } from "../check.js";
import type { SubmissionFormat, SubmissionStep } from "../format.js";
import { hasKeys } from "../json.js";
import { streamMembers } from "../json-stream.js";

const stateSchema = z.looseObject({
  position: vec3Schema,
  /** Radians, 0 along -z, counter-clockwise: as ours. */
  heading: z.number().optional(),
  stop: z.boolean(),
});

type AgentState = z.output<typeof stateSchema>;

/** Metres by which a simulator may have moved the agent to set it down. */
const START_TOLERANCE = 0.05;

/**
 * Submissions of R2R-CE: `{"<episode_id>": [{position, heading, stop}, ...]}`, the states of the agent
 * from the one after reset on. Whether a way between two states exists only a navmesh can tell.
 */
export const vlnceSubmission: SubmissionFormat = {
  detect: ({ head }) => {
    const [states] = isRecord(head) ? Object.values(head) : [];
    return Array.isArray(states) && hasKeys(states[0], "position", "stop");
  },

  async *predictions(path) {
    for await (const [episodeId, raw] of streamMembers(path, "states by episode id")) {
      yield { episodeId, raw, where: `${path}, ${JSON.stringify(episodeId)}` };
    }
  },

  async trajectory(prediction, episode) {
    const at: DataPlace = {
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
      throw new DataError(
        "step_after_stop",
        `${at.subject}: state ${stop} of ${states.length} is a stop, and others follow`,
        { where: whereOf(at), hint: "stop ends the episode, so its state is the last" },
      );
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
 * The file does not name actions, but R2R-CE's four leave no choice: turning keeps the position, and
 * a state that did not change at all is a blocked step forward.
 */
function actionBetween(before: AgentState | undefined, after: AgentState): string | null {
  if (!before) return null;
  if (after.stop) return STOP;
  if (!samePoint(before.position, after.position)) return "move_forward";
  const turn = wrapAngle((after.heading ?? 0) - (before.heading ?? 0));
  if (turn === 0) return "move_forward";
  return turn > 0 ? "turn_left" : "turn_right";
}

/** A trajectory in a continuous scene has a beginning, and it is the episode's. */
export function checkStart(positions: readonly Vec3[], episode: BaseEpisode, at: DataPlace): void {
  const [first] = positions;
  if (!first) {
    throw new DataError("empty_trajectory", `${at.subject}: the trajectory is empty`, {
      where: whereOf(at),
      hint: "a trajectory has at least the state after reset",
    });
  }
  const start = episode.startState.position;
  if (!start || distance3(first, start) <= START_TOLERANCE) return;
  throw new DataError(
    "wrong_start",
    `${at.subject}, state 0: starts at ${show(first)}, but the episode starts at ${show(start)}`,
    { where: whereOf(at), hint: "the first state is the one after reset, before any action" },
  );
}
