/** Frames of a film, but for the first: more would make files that nobody waits for. */
const MOST_FRAMES = 200;
/** Ten frames a second are enough to follow a robot, and half as many bytes as twenty. */
const FRAME_MS = 100;
/** A step from one viewpoint to the next is a leap: it needs time to be seen. */
const LEAP_MS = 500;

/** Which of an episode's steps a film shows, and how fast. */
export interface Pacing {
  /** Every so manyth step is a frame; the last one always is. */
  readonly stride: number;
  /** How long each frame stands. */
  readonly frameMs: number;
  /** Times faster than the world's clock or, where there is none, than a step a frame. */
  readonly speed: number;
}

export interface PacedEpisode {
  readonly steps: number;
  /** Simulated seconds that they took; undefined where the simulator has no clock. */
  readonly seconds?: number | undefined;
  /** Whether steps lead from viewpoint to viewpoint. */
  readonly leaps?: boolean;
}

/** As the world's clock has it, unless that took too many frames; without a clock, a step a frame. */
export function paceOf({ steps, seconds, leaps = false }: PacedEpisode): Pacing {
  const stepMs =
    seconds !== undefined && seconds > 0 && steps > 0 ? (seconds * 1000) / steps : undefined;
  const natural = stepMs === undefined ? 1 : Math.max(1, Math.round(FRAME_MS / stepMs));
  const stride = Math.max(natural, Math.ceil(steps / MOST_FRAMES));
  const usualMs = leaps ? LEAP_MS : FRAME_MS;
  return {
    stride,
    frameMs: Math.max(20, Math.round(stepMs === undefined ? usualMs : natural * stepMs)),
    speed: stride / natural,
  };
}

export function isShown(step: number, steps: number, { stride }: Pacing): boolean {
  return step % stride === 0 || step === steps;
}
