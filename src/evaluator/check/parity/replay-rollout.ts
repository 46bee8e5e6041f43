import type { BaseEpisode } from "../../../core/episode/base.js";
import type { SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { JudgedByRules } from "../../../core/rules/judge.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import type { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import type { Rollout } from "../../../simulator/frozen/rollouts.js";
import type { StateNoise } from "../../../simulator/manipulation/physics/physics.js";
import {
  compareRollout,
  END_EFFECTOR,
  type PlayedStep,
  QPOS,
  TOLERANCE,
} from "./compare-rollout.js";
import type { ParityFailure, RolloutParity } from "./documents.js";
import { roundingNoise } from "./rounding-noise.js";

/** Disturbed replays that are made to explain a difference. */
const MOST_REPLAYS = 8;
/**
 * The same for a number that they are known to move. Where a contact has several solutions, such as that of a mesh with a cylinder,
 * one of them can be as rare as one replay in forty.
 */
const MOST_REPLAYS_OF_MOVED = 64;
const MOVED_FROM = TOLERANCE / 1000;

/**
 * Replays the actions of a rollout and compares every step with the original. If it is off, it is also replayed with the rounding
 * errors of another build, until the difference is explained.
 *
 * @param observed the observations of the world, of which those are compared that were recorded
 */
export async function replayRollout(
  simulator: FrozenSimulator,
  task: JudgedByRules,
  episode: BaseEpisode,
  rollout: Rollout,
  observed: readonly string[],
): Promise<RolloutParity> {
  const { episode_id, source, actions } = rollout;
  const judged = new JudgedSimulator(simulator, task);
  const [recorded = {}] = rollout.observations ?? [];
  const names = observed.filter((name) => Object.hasOwn(recorded, name));
  const play = async (noise?: StateNoise) => {
    simulator.setNoise(noise);
    const path = [stepOf(await judged.reset(episode, { seed: 0 }), rollout, names)];
    for (const action of actions) path.push(stepOf(await judged.step(action), rollout, names));
    return path;
  };
  const original = recordedSteps(rollout, names);
  const replay = await play();
  const disturbed: (readonly PlayedStep[])[] = [];
  let compared = compareRollout(original, replay, disturbed);
  while (compared.failure && disturbed.length < mostReplays(compared.failure)) {
    disturbed.push(await play(roundingNoise(disturbed.length + 1)));
    compared = compareRollout(original, replay, disturbed);
  }
  const disturbed_replays = disturbed.length;
  return { episode_id, source, steps: actions.length, disturbed_replays, ...compared };
}

function mostReplays({ error, sensitivity }: ParityFailure): number {
  // No rounding makes numbers disappear.
  if (!Number.isFinite(error)) return 0;
  return sensitivity > MOVED_FROM ? MOST_REPLAYS_OF_MOVED : MOST_REPLAYS;
}

function recordedSteps(
  { qpos, ee_pos, success, observations }: Rollout,
  names: readonly string[],
): readonly PlayedStep[] {
  return qpos.map((positions, step) => ({
    quantities: {
      [QPOS]: positions,
      [END_EFFECTOR]: ee_pos[step] ?? [],
      ...Object.fromEntries(names.map((name) => [name, observations?.[step]?.[name] ?? []])),
    },
    success: success[step] ?? false,
  }));
}

function stepOf(
  { state, observation }: SimulatorFrame,
  { qpos }: Rollout,
  names: readonly string[],
): PlayedStep {
  const { ee_pose = [], sim_state, success = false } = state;
  return {
    quantities: {
      // `sim_state` is time, qpos, qvel and act.
      [QPOS]: numbersOf(sim_state).slice(1, 1 + (qpos[0]?.length ?? 0)),
      [END_EFFECTOR]: ee_pose.slice(0, 3),
      ...Object.fromEntries(names.map((name) => [name, numbersOf(observation[name])])),
    },
    success,
  };
}

function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
