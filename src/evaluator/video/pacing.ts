/** Frames of a film, but for the first: more would make files that nobody waits for. */
const MOST_FRAMES = 200;
/** Ten frames a second are enough to follow a robot, and half as many bytes as twenty. */
const FRAME_MS = 100;
/** A step from one viewpoint to the next is a leap: it needs time to be seen. */
const LEAP_MS = 500;
/** A frame that stands longer looks like the end. */
const LONGEST_MS = 1000;
/** No robot is told what to do more often than this; a clock that says so is none. */
const SHORTEST_STEP_MS = 0.1;

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
  const thinned = Math.ceil(steps / MOST_FRAMES);
  const stepMs = ((seconds ?? 0) * 1000) / steps;
  if (!(stepMs >= SHORTEST_STEP_MS)) {
    const stride = Math.max(1, thinned);
    return { stride, frameMs: leaps ? LEAP_MS : FRAME_MS, speed: stride };
  }
  const natural = Math.max(1, Math.round(FRAME_MS / stepMs));
  const stride = Math.max(natural, thinned);
  const frameMs = Math.min(LONGEST_MS, Math.round(natural * stepMs));
  return { stride, frameMs, speed: Math.round((10 * stride * stepMs) / frameMs) / 10 };
}

export function isShown(step: number, steps: number, { stride }: Pacing): boolean {
  return step % stride === 0 || step === steps;
}
