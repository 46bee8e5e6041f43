import type { EpisodeDocument } from "../../../src/server/view/documents.js";

/** Records per second at 1x without a clock: a step forward is about 0.25 m. */
const STEPS_PER_SECOND = 4;
/** Lower for graphs, because viewpoints are several metres apart. */
const VIEWPOINTS_PER_SECOND = 1.2;

type Records = EpisodeDocument["records"];

/** Records per second at 1x: real time if the records have a clock. */
export function paceOf(records: Records): number {
  const seconds = records.at(-1)?.time_s;
  if (seconds !== undefined && seconds > 0) return (records.length - 1) / seconds;
  return records[0]?.state.node === undefined ? STEPS_PER_SECOND : VIEWPOINTS_PER_SECOND;
}

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;

export interface PlaybackState {
  /** Record index; fractional while playing. */
  readonly at: number;
  readonly playing: boolean;
  readonly speed: number;
}

/**
 * The time cursor of a page. It is outside React, because the 3D view and the plots update with every frame and the
 * rest of the page does not.
 */
export class Playback {
  state: PlaybackState;
  private readonly listeners = new Set<(jump: boolean) => void>();
  private frame = 0;
  private last = 0;

  constructor(
    readonly count: number,
    /** Records per second at 1x. */
    private readonly pace: number,
    at = 0,
    speed = 1,
  ) {
    this.state = { at: this.inside(at), playing: false, speed };
  }

  get end(): number {
    return Math.max(0, this.count - 1);
  }

  /** The record at the cursor. */
  get index(): number {
    return Math.floor(this.state.at + 1e-6);
  }

  /** Listeners receive whether the cursor was set rather than played. */
  subscribe = (listener: (jump: boolean) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  seek(at: number): void {
    this.set({ at: this.inside(at) }, true);
  }

  /** Moves by whole records. */
  step(by: number): void {
    this.pause();
    const from = by < 0 ? Math.ceil(this.state.at) : Math.floor(this.state.at);
    this.seek(from + by);
  }

  toggle(): void {
    if (this.state.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.end === 0) return;
    if (this.state.at >= this.end) this.seek(0);
    this.set({ playing: true }, false);
    this.last = performance.now();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(this.tick);
  }

  pause(): void {
    cancelAnimationFrame(this.frame);
    if (this.state.playing) this.set({ playing: false, at: this.index }, false);
  }

  setSpeed(speed: number): void {
    this.set({ speed }, false);
  }

  /** Moves by a number of entries of SPEEDS. */
  shiftSpeed(by: number): void {
    const now = SPEEDS.findIndex((speed) => speed >= this.state.speed);
    this.setSpeed(SPEEDS[Math.min(Math.max(now + by, 0), SPEEDS.length - 1)] ?? 1);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.listeners.clear();
  }

  private readonly tick = (now: number): void => {
    // Limited, so that a suspended page does not jump ahead.
    const seconds = Math.min((now - this.last) / 1000, 1);
    this.last = now;
    const at = this.state.at + seconds * this.pace * this.state.speed;
    if (at >= this.end) {
      this.set({ at: this.end, playing: false }, false);
      return;
    }
    this.set({ at }, false);
    this.frame = requestAnimationFrame(this.tick);
  };

  private set(patch: Partial<PlaybackState>, jump: boolean): void {
    this.state = { ...this.state, ...patch };
    for (const listener of this.listeners) listener(jump);
  }

  private inside(at: number): number {
    return Number.isFinite(at) ? Math.min(Math.max(at, 0), this.end) : 0;
  }
}
