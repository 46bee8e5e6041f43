import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isShown, type PacedEpisode, paceOf } from "./pacing.js";

function shown(episode: PacedEpisode): number[] {
  const pacing = paceOf(episode);
  const steps = Array.from({ length: episode.steps + 1 }, (_, step) => step);
  return steps.filter((step) => isShown(step, episode.steps, pacing));
}

describe("the pace of a film", () => {
  it("without a clock is a step a frame, ten a second", () => {
    expect(paceOf({ steps: 48 })).toEqual({ stride: 1, frameMs: 100, speed: 1 });
  });

  it("with a clock is the world's own: of 20 steps a second every other one is shown", () => {
    expect(paceOf({ steps: 100, seconds: 5 })).toEqual({ stride: 2, frameMs: 100, speed: 1 });
  });

  it("keeps time with robots that are slower than the film", () => {
    expect(paceOf({ steps: 10, seconds: 2 })).toEqual({ stride: 1, frameMs: 200, speed: 1 });
  });

  it("is faster than the world where that would take too long, and says by how much", () => {
    expect(paceOf({ steps: 500, seconds: 25 })).toEqual({ stride: 3, frameMs: 100, speed: 1.5 });
    expect(paceOf({ steps: 500 })).toEqual({ stride: 3, frameMs: 100, speed: 3 });
  });

  it("leaves time to see each leap on a graph", () => {
    expect(paceOf({ steps: 6, leaps: true }).frameMs).toBe(500);
  });

  it("of an episode that ended where it began is one frame", () => {
    expect(shown({ steps: 0, seconds: 0 })).toEqual([0]);
  });

  it("shows the first step and the last, in order, and never too many", () => {
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
