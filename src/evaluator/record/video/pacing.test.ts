import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isShown, type PacedEpisode, paceOf } from "./pacing.js";

function shown(episode: PacedEpisode): number[] {
  const pacing = paceOf(episode);
  const steps = Array.from({ length: episode.steps + 1 }, (_, step) => step);
  return steps.filter((step) => isShown(step, episode.steps, pacing));
}

describe("the pace of a film", () => {
  it("a film without a clock shows one step per frame at ten frames per second", () => {
    expect(paceOf({ steps: 48 })).toEqual({ stride: 1, frameMs: 100, speed: 1 });
  });

  it("a film with a clock runs in real time: at 20 steps per second it shows every other step", () => {
    expect(paceOf({ steps: 100, seconds: 5 })).toEqual({ stride: 2, frameMs: 100, speed: 1 });
  });

  it("the pace of a film is real time for robots slower than the frame rate", () => {
    expect(paceOf({ steps: 10, seconds: 2 })).toEqual({ stride: 1, frameMs: 200, speed: 1 });
  });

  it("a film speeds up long episodes and reports the factor", () => {
    expect(paceOf({ steps: 500, seconds: 25 })).toEqual({ stride: 3, frameMs: 100, speed: 1.5 });
    expect(paceOf({ steps: 500 })).toEqual({ stride: 3, frameMs: 100, speed: 3 });
  });

  it("a film shows each jump on a graph long enough", () => {
    expect(paceOf({ steps: 6, jumps: true }).frameMs).toBe(500);
  });

  it("a film gives one frame for an episode without steps", () => {
    expect(shown({ steps: 0, seconds: 0 })).toEqual([0]);
  });

  it("a film shows the first and the last step, in order, within the frame limit", () => {
    const steps = fc.integer({ min: 0, max: 20_000 });
    const seconds = fc.option(fc.double({ min: 0, max: 1e4, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(steps, seconds, (count, duration) => {
        const frames = shown({ steps: count, seconds: duration });
        expect(frames[0]).toBe(0);
        expect(frames.at(-1)).toBe(count);
        expect(frames.length).toBeLessThanOrEqual(202);
        expect(paceOf({ steps: count, seconds: duration }).frameMs).toBeGreaterThan(0);
      }),
      { numRuns: 50 },
    );
  });
});
