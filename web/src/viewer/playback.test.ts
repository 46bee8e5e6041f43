import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Playback, paceOf, SPEEDS } from "./playback.js";

/** Manually triggered animation frames. */
let frames: FrameRequestCallback[] = [];
let now = 0;

function frame(ms: number): void {
  now += ms;
  const due = frames;
  frames = [];
  for (const callback of due) callback(now);
}

beforeEach(() => {
  frames = [];
  now = 0;
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => {
    frames = [];
  });
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the time cursor", () => {
  it("the time cursor stays between the first and the last record for any initial value", () => {
    expect(new Playback(10, 4, 99).index).toBe(9);
    expect(new Playback(10, 4, -3).index).toBe(0);
    expect(new Playback(10, 4, Number.NaN).index).toBe(0);
    expect(new Playback(0, 4).end).toBe(0);
  });

  it("the time cursor plays records at its rate and speed, and stops at the last", () => {
    const playback = new Playback(11, 4);
    playback.setSpeed(2);
    playback.play();
    frame(500);
    expect(playback.state.at).toBeCloseTo(4, 9);
    frame(1000);
    expect(playback.state).toMatchObject({ at: 10, playing: false });
  });

  it("the time cursor restarts when it is played from the end", () => {
    const playback = new Playback(5, 4, 4);
    playback.play();
    expect(playback.state).toMatchObject({ at: 0, playing: true });
  });

  it("the time cursor does not jump ahead after the page was suspended", () => {
    const playback = new Playback(1000, 4);
    playback.play();
    frame(60_000);
    expect(playback.state.at).toBeLessThanOrEqual(4);
  });

  it("the time cursor steps to whole records and pauses", () => {
    const playback = new Playback(100, 4);
    playback.play();
    frame(600);
    playback.step(1);
    expect(playback.state).toMatchObject({ at: 3, playing: false });
    playback.step(-10);
    expect(playback.index).toBe(0);
  });

  it("the time cursor changes its speed within the list of speeds", () => {
    const playback = new Playback(10, 4);
    for (const _ of SPEEDS) playback.shiftSpeed(1);
    expect(playback.state.speed).toBe(8);
    for (const _ of SPEEDS) playback.shiftSpeed(-1);
    expect(playback.state.speed).toBe(0.25);
  });

  it("the time cursor tells listeners whether it was set or played", () => {
    const playback = new Playback(10, 4);
    const jumps: boolean[] = [];
    const stop = playback.subscribe((jump) => jumps.push(jump));
    playback.seek(3);
    playback.play();
    frame(100);
    stop();
    frame(100);
    expect(jumps).toEqual([true, false, false]);
  });
});

describe("the playback rate of an episode", () => {
  const record = (step: number, more: object) => ({ step, action: null, state: {}, ...more });

  it("the playback rate of an episode follows the episode clock if it has one", () => {
    expect(paceOf([record(0, { time_s: 0 }), record(1, {}), record(2, { time_s: 0.1 })])).toBe(20);
  });

  it("the playback rate of an episode is slower between viewpoints than between steps", () => {
    const walk = paceOf([record(0, { state: { position: [0, 0, 0] } })]);
    expect(paceOf([record(0, { state: { node: "kitchen" } })])).toBeLessThan(walk);
  });
});
