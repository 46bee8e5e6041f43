/** A step of a replay that differs from the original's by more than is allowed. */
export interface ParityFailure {
  readonly step: number;
  /** `qpos`, `end effector`, `success`, or the name of an observation. */
  readonly quantity: string;
  /** Infinite if a number is missing; 1 if `success` differs. */
  readonly error: number;
  readonly allowed: number;
  /** Largest difference of this number between the replay and disturbed ones up to this step. */
  readonly sensitivity: number;
}

/** How one rollout of the original differs from its replay. */
export interface RolloutParity {
  readonly episode_id: string;
  readonly source: string;
  readonly steps: number;
  /** Control steps without a chaotic position: one that is off by more than the tolerance, as rounding errors explain. */
  readonly compared_steps: number;
  /** The other control steps. */
  readonly chaotic_steps: number;
  /** Share of the positions of all steps that are not chaotic. */
  readonly compared_positions: number;
  /** Largest difference of a position in `qpos` that is not chaotic, as are the next two. */
  readonly max_qpos_error: number;
  /** Largest difference of a coordinate of the end effector, in metres. */
  readonly max_ee_error_m: number;
  /** Largest difference of any observation; null if none were recorded. */
  readonly max_observation_error: number | null;
  /** Largest difference of a chaotic position; null if there is none. */
  readonly max_chaotic_qpos_error: number | null;
  /** Replays with rounding errors, which are made where the replay is off by more than the tolerance. */
  readonly disturbed_replays: number;
  /** Largest difference of a position between them and the replay, at any step; null if there are none. */
  readonly sensitivity: number | null;
  /** Steps whose success flags differ. */
  readonly success_steps_different: number;
  /** Whether the original and the replay succeed at any step. */
  readonly success: { readonly original: boolean; readonly replay: boolean };
  /** The first step with an error that is not allowed; null if there is none. */
  readonly failure: ParityFailure | null;
}

/** States just inside and just outside the goal, judged by the original and by the world's success rule. */
interface BoundaryParity {
  readonly states: number;
  /** States that the original's success check accepts. */
  readonly inside: number;
  /** States whose verdicts differ. */
  readonly different: readonly { readonly episode_id: string; readonly name: string }[];
}

/** How similar an image of ours is to a frame of the original. */
export interface FrameParity {
  readonly episode_id: string;
  readonly step: number;
  readonly camera: string;
  /** Peak signal-to-noise ratio in decibels, at most 100. */
  readonly psnr_db: number;
  readonly ssim: number;
}

/** How similar our images of a world are to frames of the original. It does not decide whether the world passes. */
export interface FramesParity {
  readonly frames: readonly FrameParity[];
  readonly mean_psnr_db: number;
  readonly min_psnr_db: number;
  readonly mean_ssim: number;
  readonly min_ssim: number;
  /** Whether the means are at least 30 dB and 0.97. */
  readonly similar: boolean;
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
  /** Sums of steps, the share of positions and the largest errors over all rollouts. */
  readonly compared_steps: number;
  readonly chaotic_steps: number;
  readonly compared_positions: number;
  readonly max_qpos_error: number;
  readonly max_ee_error_m: number;
  readonly max_chaotic_qpos_error: number | null;
  /** Rollouts with an error that is not allowed. */
  readonly failed_rollouts: number;
  /** Share of the rollouts whose outcome is that of the original. */
  readonly success_agreement: number;
  readonly boundaries: BoundaryParity;
  /** Null if the original's frames were not recorded. */
  readonly frames: FramesParity | null;
  readonly passed: boolean;
}

export interface ParityReport {
  readonly benchmark: string;
  /** Largest allowed difference of positions, the end effector and observations. */
  readonly tolerance: number;
  readonly worlds: readonly WorldParity[];
  readonly passed: boolean;
}
