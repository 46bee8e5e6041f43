/** How one rollout of the original differs from its replay. */
export interface RolloutParity {
  readonly episode_id: string;
  readonly source: string;
  readonly steps: number;
  /** Largest difference of any position in `qpos`. */
  readonly max_qpos_error: number;
  /**
   * Largest difference between this replay and ones whose initial positions are off by 1e-12. Beyond the tolerance, contacts
   * amplify rounding errors so much that no engine of another build can reproduce the positions.
   */
  readonly sensitivity: number;
  /** Largest distance between the end effectors, in metres. */
  readonly max_ee_error_m: number;
  /** Largest difference of any observation; null if none were recorded. */
  readonly max_observation_error: number | null;
  /** The first step with a position beyond the tolerance; null if there is none. */
  readonly first_step_over: number | null;
  /** Steps whose success flags differ. */
  readonly success_steps_different: number;
  /** Whether the original and the replay succeed at any step. */
  readonly success: { readonly original: boolean; readonly replay: boolean };
}

/** States just inside and just outside the goal, judged by the original and by the world's success rule. */
interface BoundaryParity {
  readonly states: number;
  /** In the original's view. */
  readonly inside: number;
  /** States whose verdicts differ. */
  readonly different: readonly { readonly episode_id: string; readonly name: string }[];
}

/** Agreement of one world with its original. */
export interface WorldParity {
  readonly task: string;
  readonly world: string;
  readonly world_sha256: string;
  /** Versions of MuJoCo that the world was frozen with and played on. */
  readonly frozen_engine: string;
  readonly engine: string;
  readonly rollouts: readonly RolloutParity[];
  /** The three below are of the rollouts that are not chaotic. */
  readonly max_qpos_error: number;
  readonly max_ee_error_m: number;
  readonly first_step_over: number | null;
  /** Rollouts that amplify rounding errors beyond the tolerance, and are compared by outcome only. */
  readonly chaotic: number;
  /** Rollouts whose outcome is that of the original. */
  readonly success_agreement: number;
  readonly boundaries: BoundaryParity;
  readonly passed: boolean;
}

export interface ParityReport {
  readonly benchmark: string;
  readonly tolerance_qpos: number;
  readonly worlds: readonly WorldParity[];
  readonly passed: boolean;
}
