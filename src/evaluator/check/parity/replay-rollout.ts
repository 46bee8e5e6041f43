import type { BaseEpisode } from "../../../core/episode/base.js";
import type { SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { JudgedByRules } from "../../../core/rules/judge.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import type { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import type { Rollout } from "../../../simulator/frozen/rollouts.js";
import { withStart } from "./changed-start.js";
import { compareRollout, END_EFFECTOR, type PlayedStep, QPOS } from "./compare-rollout.js";
import type { RolloutParity } from "./documents.js";

/**
 * Replays the actions of a rollout and compares every step with the original.
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
  const play = async (start: BaseEpisode) => {
    const path = [stepOf(await judged.reset(start, { seed: 0 }), rollout, names)];
    for (const action of actions) path.push(stepOf(await judged.step(action), rollout, names));
    return path;
  };
  const original = recordedSteps(rollout, names);
  const replay = await play(episode);
  const nudged: (readonly PlayedStep[])[] = [];
  let compared = compareRollout(original, replay, nudged);
  for (const nudge of NUDGES) {
    // A difference counts if no nudged replay explains it.
    if (nudged.length > 0 && compared.failure === null) break;
    nudged.push(
      await play(
        withStart(episode, ({ state }) => ({ state: { ...state, qpos: state.qpos.map(nudge) } })),
      ),
    );
    compared = compareRollout(original, replay, nudged);
  }
  return { episode_id, source, steps: actions.length, ...compared };
}

/** Less than any sensor can tell, and more than rounding. */
const NUDGE = 1e-12;

/**
 * Changes of the initial positions. The first moves a joint of the arm. Contacts of boxes that lie flat switch between
 * solutions and may ignore it; the others, which move everything, are tried if a rollout is off all the same.
 */
const NUDGES: readonly ((position: number, index: number) => number)[] = [
  (position, index) => position + (index === 0 ? NUDGE : 0),
  (position, index) => position + (index % 2 ? NUDGE : -NUDGE),
  (position, index) => position + (index % 2 ? -NUDGE : NUDGE),
];

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
