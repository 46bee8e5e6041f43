import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodeLine } from "../../../test/support/cli.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { Random } from "../../core/math/random.js";
import { type EarlyStopOptions, EarlyStopTask } from "./early-stop.js";

const line = (id: number, success: number, more: Partial<EpisodeLine> = {}) =>
  episodeLine({ episode_id: String(id), metrics: { success }, ...more });

/** Episodes of a policy that succeeds with this chance. */
function drawn(count: number, chance: number, seed = 1): EpisodeLine[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => line(i, random.uniform() < chance ? 1 : 0));
}

function task(lines: readonly EpisodeLine[], more: Partial<EarlyStopOptions> = {}): EarlyStopTask {
  return new EarlyStopTask({
    metric: "success",
    kind: "rate",
    halfWidth: 0.1,
    minEpisodes: 20,
    order: [...new Set(lines.map(({ episode_key }) => episode_key))],
    repeats: 1,
    ...more,
  });
}

function offered(stop: EarlyStopTask, lines: readonly EpisodeLine[]): EpisodeLine[] {
  return lines.flatMap((one) => stop.offer(one));
}

const widthOf = (stop: EarlyStopTask) => {
  const [low, high] = stop.interval() ?? [0, 1];
  return high - low;
};

describe("a task that may stop early", () => {
  it("a task that may stop early stops when the interval reaches the requested width, and reports where", () => {
    const lines = drawn(1000, 0.8);
    const stop = task(lines);
    const counted = offered(stop, lines);
    expect(stop.reached).toBe(true);
    expect(stop.result()).toEqual({
      metric: "success",
      half_width: 0.1,
      reached: true,
      counted: counted.length,
      of: 1000,
    });
    expect(counted).toEqual(lines.slice(0, counted.length));
    expect(counted.length).toBeLessThan(1000);
    expect(widthOf(stop)).toBeLessThanOrEqual(0.2);
    const before = task(lines);
    offered(before, lines.slice(0, counted.length - 1));
    expect(before.reached).toBe(false);
    expect(widthOf(before)).toBeGreaterThan(0.2);
  });

  it("a task that may stop early needs fewer episodes if all are equal, but at least the minimum", () => {
    const alike = drawn(1000, 1);
    const stop = task(alike);
    offered(stop, alike);
    const mixed = task(drawn(1000, 0.5));
    offered(mixed, drawn(1000, 0.5));
    expect(stop.result().counted).toBeLessThan(mixed.result().counted);
    const patient = task(alike, { minEpisodes: 500 });
    offered(patient, alike);
    expect(patient.result().counted).toBe(500);
  });

  it("a task that may stop early runs all episodes if the interval stays too wide", () => {
    const lines = drawn(50, 0.5);
    const stop = task(lines, { halfWidth: 0.01 });
    expect(offered(stop, lines)).toEqual(lines);
    expect(stop.result()).toMatchObject({ reached: false, counted: 50, of: 50 });
    expect(stop.isBeyond(lines[49] ?? line(0, 0))).toBe(false);
  });

  it("a task that may stop early stops at the same episode whatever the order in which episodes end", () => {
    const lines = drawn(200, 0.9);
    const expected = task(lines);
    const counted = offered(expected, lines);
    expect(expected.reached).toBe(true);
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        const stop = task(lines);
        expect(offered(stop, shuffled)).toEqual(counted);
        expect(stop.result()).toEqual(expected.result());
        expect(stop.interval()).toEqual(expected.interval());
        const beyond = lines.filter((one) => stop.isBeyond(one));
        expect(beyond).toEqual(lines.slice(counted.length));
      }),
      { numRuns: 30 },
    );
  });

  it("a task that may stop early counts invalid episodes without using them for the interval", () => {
    const judged = drawn(300, 0.9);
    const lines = judged.flatMap((one, i) => [
      one,
      line(1000 + i, 0, { outcome: "invalid", metrics: {} }),
    ]);
    const without = task(judged);
    offered(without, judged);
    const stop = task(lines);
    offered(stop, lines);
    expect(stop.interval()).toEqual(without.interval());
    expect(stop.result().counted).toBe(2 * without.result().counted - 1);
  });

  it("a task that may stop early has no interval before the first valid episode", () => {
    const lines = [line(0, 0, { outcome: "invalid", metrics: {} }), line(1, 1)];
    const stop = task(lines);
    offered(stop, lines.slice(0, 1));
    expect(stop.interval()).toBeNull();
  });

  it("a task that may stop early uses the mean over the repeats of an episode once all are finished", () => {
    const repeats = [0, 1, 2];
    const lines = drawn(400, 0.9).flatMap((one, i) =>
      repeats.map((repeat) => ({ ...one, repeat, metrics: { success: (i + repeat) % 5 ? 1 : 0 } })),
    );
    const stop = task(lines, { repeats: 3 });
    expect(offered(stop, lines.slice(0, 2))).toEqual([]);
    expect(stop.offer(lines[2] ?? line(0, 0))).toEqual(lines.slice(0, 3));
    // The last repeat of the next one comes first.
    expect(
      offered(
        stop,
        [lines[5], lines[4], lines[3]].flatMap((one) => one ?? []),
      ),
    ).toEqual(lines.slice(3, 6));
    const counted = offered(stop, lines.slice(6)).length + 6;
    expect(stop.reached).toBe(true);
    expect(counted).toBe(3 * stop.result().counted);
    expect(widthOf(stop)).toBeLessThanOrEqual(0.2);
  });

  it("a task that may stop early keeps out-of-order results when the run is cancelled", () => {
    const lines = drawn(10, 0.5);
    const stop = task(lines);
    expect(offered(stop, lines.slice(1))).toEqual([]);
    expect(stop.rest()).toEqual(lines.slice(1));
    expect(stop.result()).toMatchObject({ reached: false, counted: 0 });
  });
});
