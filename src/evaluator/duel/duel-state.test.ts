import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DuelState, type DuelTask } from "./duel-state.js";

const keys = (n: number) => Array.from({ length: n }, (_, i) => `e${i}`);
const task = (name: string, n: number, more: Partial<DuelTask> = {}): DuelTask => ({
  ...{ name, kind: "rate", order: keys(n), isLowerBetter: false, ...more },
});
const result = (value: number | undefined) => ({ value, isSolved: value === 1 });

/** Offers the same values of each policy for all episodes. */
function offerAll(state: DuelState, name: string, n: number, values: readonly number[]): void {
  for (const key of keys(n)) {
    values.forEach((value, policy) => {
      if (!state.isOverFor(policy, name)) state.offer(policy, name, key, result(value));
    });
  }
}

describe("the state of a duel", () => {
  it("the state of a duel gives the same verdict in any order of arrival", () => {
    // Only A solves 14 episodes of 40, only B two.
    const outcomes = keys(40).map((_, i) => (i % 20 === 0 ? [0, 1] : i % 20 < 8 ? [1, 0] : [1, 1]));
    const events = outcomes.flatMap((pair, i) =>
      pair.map((value, policy) => ({ i, policy, value })),
    );
    const run = (order: readonly number[]) => {
      const state = new DuelState({ tasks: [task("t", 40)], policies: 2, alpha: 0.05 });
      for (const at of order) {
        const { i, policy, value } = events[at] ?? { i: 0, policy: 0, value: 0 };
        state.offer(policy, "t", `e${i}`, result(value));
      }
      const [{ verdict, sequence } = { verdict: undefined, sequence: undefined }] =
        state.comparisons;
      return { verdict, pairs: sequence?.count, counted: state.counted(0, "t") };
    };
    const inOrder = run(events.map((_, i) => i));
    expect(inOrder.verdict).toBe(0);
    expect(inOrder.counted).toBeLessThan(40);
    const all = events.map((_, i) => i);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (order) => {
        expect(run(order)).toEqual(inOrder);
      }),
      { numRuns: 30 },
    );
  });

  it("the state of a duel waits for a missing value of a needed policy, not for one of a dropped policy", () => {
    const state = new DuelState({ tasks: [task("t", 60)], policies: 3, alpha: 0.05 });
    offerAll(state, "t", 20, [1, 1, 0]);
    expect(state.isOverFor(2, "t")).toBe(true);
    const dropped = state.counted(2, "t");
    expect(dropped).toBeLessThan(20);
    state.offer(0, "t", "e20", result(1));
    expect(state.counted(0, "t")).toBe(20);
    state.offer(1, "t", "e20", result(1));
    expect([0, 1, 2].map((policy) => state.counted(policy, "t"))).toEqual([21, 21, dropped]);
  });

  it("the state of a duel does not compare an episode that is invalid for one policy, and counts it", () => {
    const state = new DuelState({ tasks: [task("t", 3)], policies: 2, alpha: 0.05 });
    state.offer(0, "t", "e0", result(1));
    state.offer(1, "t", "e0", result(undefined));
    expect(state.counted(0, "t")).toBe(1);
    expect(state.comparisons[0]?.sequence.count).toBe(0);
    expect(state.flipped()).toEqual([]);
  });

  it("the state of a duel prefers the policy with lower values where lower is better", () => {
    const lower = task("t", 30, { isLowerBetter: true });
    const state = new DuelState({ tasks: [lower], policies: 2, alpha: 0.05 });
    offerAll(state, "t", 30, [0, 1]);
    expect(state.comparisons[0]?.verdict).toBe(0);
  });

  it("the state of a duel decides tasks one after the other, and leaves more error to the last comparison", () => {
    const tasks = [task("t", 30), task("u", 30)];
    const state = new DuelState({ tasks, policies: 2, alpha: 0.05 });
    // Values of the second task wait until the first one is decided.
    state.offer(0, "u", "e0", result(1));
    state.offer(1, "u", "e0", result(0));
    expect(state.counted(0, "u")).toBe(0);
    expect(state.distanceTo("u", "e0")).toBe(30);
    offerAll(state, "t", 30, [1, 0]);
    const first = state.counted(0, "t");
    for (const key of keys(30).slice(1)) {
      if (state.isOver) break;
      state.offer(0, "u", key, result(1));
      state.offer(1, "u", key, result(0));
    }
    expect(state.comparisons.map(({ verdict }) => verdict)).toEqual([0, 0]);
    // 0.025 for the first, and 0.05 for the second.
    expect(state.counted(0, "u")).toBeLessThan(first);
  });

  it("the state of a duel lists episodes that only some policies solved", () => {
    const state = new DuelState({ tasks: [task("t", 2)], policies: 2, alpha: 0.05 });
    offerAll(state, "t", 2, [1, 0]);
    expect(state.flipped()).toEqual([
      { key: "e0", solved: [true, false] },
      { key: "e1", solved: [true, false] },
    ]);
  });
});
