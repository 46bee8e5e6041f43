/** Maximum number of frames after the first; limits the size of the file. */
const MOST_FRAMES = 200;
/** Ten frames per second show a robot's motion well, at half the size of twenty. */
const FRAME_MS = 100;
/** Display time of a step between viewpoints, where the view jumps. */
const JUMP_MS = 500;
/** Maximum display time of a frame; a longer one looks like the end. */
const LONGEST_MS = 1000;
/** Shortest plausible control step. A simulator clock that runs slower than this is ignored. */
const SHORTEST_STEP_MS = 0.1;

/** Which of an episode's steps a film shows, and how fast. */
export interface Pacing {
  /** Every `stride`-th step is a frame, and the last one. */
  readonly stride: number;
  /** Display time of each frame. */
  readonly frameMs: number;
  /** Speed relative to simulated time or, without a clock, to one step per frame. */
  readonly speed: number;
}

export interface PacedEpisode {
  readonly steps: number;
  /** Simulated duration; undefined if the simulator has no clock. */
  readonly seconds?: number | undefined;
  /** Whether steps jump between viewpoints. */
  readonly jumps?: boolean;
}

/** Real time if the number of frames allows it; without a clock, one step per frame. */
export function paceOf({ steps, seconds, jumps = false }: PacedEpisode): Pacing {
  const thinned = Math.ceil(steps / MOST_FRAMES);
  const stepMs = ((seconds ?? 0) * 1000) / steps;
  if (!(stepMs >= SHORTEST_STEP_MS)) {
    const stride = Math.max(1, thinned);
    return { stride, frameMs: jumps ? JUMP_MS : FRAME_MS, speed: stride };
  }
  const natural = Math.max(1, Math.round(FRAME_MS / stepMs));
  const stride = Math.max(natural, thinned);
  const frameMs = Math.min(LONGEST_MS, Math.round(natural * stepMs));
  return { stride, frameMs, speed: Math.round((10 * stride * stepMs) / frameMs) / 10 };
}

export function isShown(step: number, steps: number, { stride }: Pacing): boolean {
  return step % stride === 0 || step === steps;
}
