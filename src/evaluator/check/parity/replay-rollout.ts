import { BaseEpisode } from "../../../core/episode/base.js";
import type { SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { JudgedByRules } from "../../../core/rules/judge.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import type { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import type { Rollout } from "../../../simulator/frozen/rollouts.js";
import { startOf } from "../../../simulator/frozen/start.js";
import type { RolloutParity } from "./documents.js";

/** Replays the actions of a rollout and compares every step with the original. */
export async function replayRollout(
  simulator: FrozenSimulator,
  task: JudgedByRules,
  episode: BaseEpisode,
  rollout: Rollout,
  toleranceQpos: number,
): Promise<RolloutParity> {
  const path = await positionsOf(simulator, moved(episode), rollout);
  const judged = new JudgedSimulator(simulator, task);
  const differences = new Differences(rollout, path, toleranceQpos);
  differences.add(0, await judged.reset(episode, { seed: 0 }));
  for (const [i, action] of rollout.actions.entries()) {
    differences.add(i + 1, await judged.step(action));
  }
  return differences.result();
}

/** Less than any sensor can tell, and more than rounding. */
const MOVED = 1e-12;

/** The episode with its first position off by a hair. */
function moved(episode: BaseEpisode): BaseEpisode {
  const { state, ...start } = startOf(episode);
  const [first = 0, ...rest] = state.qpos;
  const frozen = { ...start, state: { ...state, qpos: [first + MOVED, ...rest] } };
  return BaseEpisode.fromDict({
    ...episode.toDict(),
    task_config: { ...episode.taskConfig, frozen },
  });
}

/** `qpos` at each step. */
async function positionsOf(
  simulator: FrozenSimulator,
  episode: BaseEpisode,
  { actions }: Rollout,
): Promise<readonly (readonly unknown[])[]> {
  const path = [positionsIn(await simulator.reset(episode))];
  for (const action of actions) path.push(positionsIn(simulator.step(action)));
  return path;
}

/** Of `sim_state`: time, qpos, qvel, act. */
function positionsIn({ state: { sim_state } }: SimulatorFrame): readonly unknown[] {
  return Array.isArray(sim_state) ? sim_state.slice(1) : [];
}

class Differences {
  readonly #rollout: Rollout;
  readonly #tolerance: number;
  readonly #moved: readonly (readonly unknown[])[];
  #qpos = 0;
  #sensitivity = 0;
  #hand = 0;
  #observation: number | null = null;
  #firstOver: number | null = null;
  #different = 0;
  #succeeded = false;

  constructor(rollout: Rollout, movedPath: readonly (readonly unknown[])[], tolerance: number) {
    this.#rollout = rollout;
    this.#moved = movedPath;
    this.#tolerance = tolerance;
  }

  add(step: number, frame: SimulatorFrame): void {
    const { state, observation } = frame;
    const { qpos, ee_pos, success, observations } = this.#rollout;
    const { ee_pose = [] } = state;
    const expected = qpos[step] ?? [];
    const positions = positionsIn(frame);
    const off = farthest(expected, positions);
    const own = positions.slice(0, expected.length).map(Number);
    this.#sensitivity = Math.max(this.#sensitivity, farthest(own, this.#moved[step] ?? []));
    this.#qpos = Math.max(this.#qpos, off);
    if (off > this.#tolerance) this.#firstOver ??= step;
    const [x = 0, y = 0, z = 0] = ee_pos[step] ?? [];
    const [ox = Number.NaN, oy = Number.NaN, oz = Number.NaN] = ee_pose;
    this.#hand = Math.max(this.#hand, Math.hypot(x - ox, y - oy, z - oz));
    if ((state.success ?? false) !== success[step]) this.#different++;
    this.#succeeded ||= state.success ?? false;
    for (const [name, values] of Object.entries(observations?.[step] ?? {})) {
      const ours = observation[name];
      // A world may lack an observation; the benchmark says so when it runs.
      if (Array.isArray(ours)) {
        this.#observation = Math.max(this.#observation ?? 0, farthest(values, ours));
      }
    }
  }

  result(): RolloutParity {
    const { episode_id, source, actions, success } = this.#rollout;
    return {
      episode_id,
      source,
      steps: actions.length,
      max_qpos_error: this.#qpos,
      sensitivity: this.#sensitivity,
      max_ee_error_m: this.#hand,
      max_observation_error: this.#observation,
      first_step_over: this.#firstOver,
      success_steps_different: this.#different,
      success: { original: success.includes(true), replay: this.#succeeded },
    };
  }
}

/** Infinite where a value is missing or not finite. */
function farthest(expected: readonly number[], values: readonly unknown[]): number {
  return expected.reduce((most, value, i) => {
    const ours = values[i];
    const off = typeof ours === "number" ? Math.abs(value - ours) : Number.NaN;
    return Number.isNaN(off) ? Number.POSITIVE_INFINITY : Math.max(most, off);
  }, 0);
}
