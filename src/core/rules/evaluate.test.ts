import { describe, expect, it } from "vitest";
import type { Rule } from "./rule.js";
import { judgedBy, observed, taskOf } from "./steps.fixture.js";

const OPEN: Rule = { open: { fixture: "d", fraction: 0.5 } };
const REST: Rule = { at_rest: { fixture: "d" } };

/** The verdicts over steps with the given openings and speeds of a fixture. */
function verdicts(rule: Rule, ...steps: readonly (readonly [opened: number, speed?: number])[]) {
  return judgedBy(
    taskOf({ success: rule }),
    steps.map(([opened, speed = 0]) => observed({ fixtures: { d: { opened, speed } } })),
  );
}

const successes = (...args: Parameters<typeof verdicts>) =>
  verdicts(...args).map(({ success }) => success);

describe("a rule", () => {
  it("a rule combines conditions with all, any and not", () => {
    expect(successes({ all: [OPEN, REST] }, [1], [1, 1], [0])).toEqual([true, false, false]);
    expect(successes({ any: [OPEN, REST] }, [1, 1], [0], [0, 1])).toEqual([true, true, false]);
    expect(successes({ not: OPEN }, [1], [0])).toEqual([false, true]);
  });

  it("a rule stays true with once, and counts steps in a row with hold", () => {
    expect(successes({ once: OPEN }, [0], [1], [0])).toEqual([false, true, true]);
    const held: Rule = { hold: { steps: 2, rule: OPEN } };
    expect(successes(held, [1], [0], [1], [1], [1])).toEqual([false, false, false, true, true]);
    expect(successes({ once: held }, [1], [1], [0])).toEqual([false, true, true]);
  });

  it("a rule holds with sequence after all parts held in order, and stays true", () => {
    const rule: Rule = { sequence: [OPEN, { closed: { fixture: "d" } }, OPEN] };
    expect(successes(rule, [0], [1], [0], [0.2], [1], [0])).toEqual([
      ...[false, false, false, false],
      ...[true, true],
    ]);
    expect(verdicts(rule, [0], [1], [0]).at(-1)?.conditions).toEqual([
      { name: "sequence", value: 2, threshold: 3, holds: false },
    ]);
  });

  it("a sequence lets its parts hold at one step, but not before their turn", () => {
    expect(successes({ sequence: [OPEN, REST] }, [1])).toEqual([true]);
    const late = successes({ sequence: [OPEN, REST] }, [0], [1, 1], [0, 1]);
    expect(late).toEqual([false, false, false]);
  });

  it("a rule evaluates all its parts, even if the first one decides", () => {
    const rule: Rule = { all: [REST, { once: OPEN }] };
    expect(successes(rule, [1, 1], [0, 0])).toEqual([false, true]);
  });

  it("a rule reports each part with value and threshold, and the best value so far for a part with once", () => {
    const rule: Rule = { hold: { steps: 9, rule: { all: [{ once: OPEN }, { not: REST }] } } };
    expect(verdicts(rule, [0.4], [0.3, 0.5]).at(-1)?.conditions).toEqual([
      { name: "open", value: 0.4, threshold: 0.5, holds: false },
      { name: "not at_rest", value: 0.5, threshold: 0.1, holds: true },
    ]);
    const least: Rule = { once: { closed: { fixture: "d", fraction: 0.1 } } };
    expect(verdicts(least, [0.4], [0.2], [0.3]).at(-1)?.conditions?.[0]?.value).toBe(0.2);
  });

  it("a rule numbers conditions of the same name, and uses conditions as default stages", () => {
    const rule: Rule = { any: [OPEN, { open: { fixture: "d", fraction: 0.9 } }] };
    expect(verdicts(rule, [0.6]).at(-1)).toMatchObject({
      stages: { open: true, "open 2": false },
      success: true,
      target: "d",
    });
  });

  it("a rule counts each step once even if several rules share a part", () => {
    const hold: Rule = { hold: { steps: 2, rule: OPEN } };
    const task = taskOf({ success: hold, stages: { done: hold, opened: OPEN } });
    const [first, second] = judgedBy(task, [
      observed({ fixtures: { d: { opened: 1 } } }),
      observed({ fixtures: { d: { opened: 1 } } }),
    ]);
    expect(first).toMatchObject({ success: false, stages: { done: false, opened: true } });
    expect(second).toMatchObject({ success: true, stages: { done: true } });
  });
});
