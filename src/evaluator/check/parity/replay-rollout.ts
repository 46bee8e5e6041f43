import type { BaseEpisode } from "../../../core/episode/base.js";
import type { SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { JudgedByRules } from "../../../core/rules/judge.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import type { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import type { Rollout } from "../../../simulator/frozen/rollouts.js";
import { withState } from "./changed-start.js";
import type { RolloutParity } from "./documents.js";

/** Replays the actions of a rollout and compares every step with the original. */
export async function replayRollout(
  simulator: FrozenSimulator,
  task: JudgedByRules,
  episode: BaseEpisode,
  rollout: Rollout,
  toleranceQpos: number,
): Promise<RolloutParity> {
  const judged = new JudgedSimulator(simulator, task);
  const differences = new Differences(rollout, toleranceQpos);
  differences.add(0, await judged.reset(episode, { seed: 0 }));
  for (const [i, action] of rollout.actions.entries()) {
    differences.add(i + 1, await judged.step(action));
  }
  for (const nudge of NUDGES) {
    const nudged = withState(episode, ({ qpos }) => ({ qpos: qpos.map(nudge) }));
    differences.addNudged(await positionsOf(simulator, nudged, rollout));
    if (!differences.isUnexplained) break;
  }
  return differences.result();
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
  /** The positions of the replay at each step. */
  readonly #path: (readonly number[])[] = [];
  #qpos = 0;
  #sensitivity = 0;
  #hand = 0;
  #observation: number | null = null;
  #firstOver: number | null = null;
  #different = 0;
  #succeeded = false;

  constructor(rollout: Rollout, tolerance: number) {
    this.#rollout = rollout;
    this.#tolerance = tolerance;
  }

  add(step: number, frame: SimulatorFrame): void {
    const { state, observation } = frame;
    const { qpos, ee_pos, success, observations } = this.#rollout;
    const { ee_pose = [] } = state;
    const expected = qpos[step] ?? [];
    const positions = positionsIn(frame);
    const off = farthest(expected, positions);
    this.#path.push(positions.slice(0, expected.length).map(Number));
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

  /** Adds a replay whose initial positions were nudged. */
  addNudged(path: readonly (readonly unknown[])[]): void {
    for (const [step, own] of this.#path.entries()) {
      this.#sensitivity = Math.max(this.#sensitivity, farthest(own, path[step] ?? []));
    }
  }

  /** Whether a position is off, and no nudged replay was. */
  get isUnexplained(): boolean {
    return this.#firstOver !== null && this.#sensitivity <= this.#tolerance;
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
