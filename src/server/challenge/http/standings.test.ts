import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holmAdjust } from "../../../stats/holm.js";
import { comparePairs } from "../../../stats/paired-comparison.js";
import type { Score } from "./documents.js";
import { rank, type Standing } from "./standings.js";

function score(mean: number | null, direction: Score["direction"] = "higher"): Score {
  return {
    mean,
    ci95: null,
    ci_method: "none",
    n: 10,
    n_invalid: 0,
    unit: "1",
    direction,
  };
}

type Values = readonly number[] | Readonly<Record<string, readonly number[]>>;

function standing(team: string, values: Values, more: Partial<Standing> = {}): Standing {
  const byTask = Array.isArray(values) ? { vln: values as readonly number[] } : values;
  const means = Object.values(byTask).map(
    (own) => own.reduce((x: number, y: number) => x + y, 0) / own.length,
  );
  const mean = means.reduce((x, y) => x + y, 0) / means.length;
  return {
    team,
    affiliation: "",
    policy: "",
    submission: "",
    submitted_at: "2027-01-01T00:00:00Z",
    attempts: 1,
    scores: { success: score(mean) },
    episodes: {
      repeated: false,
      values: new Map(
        Object.entries(byTask).flatMap(([task, own]) =>
          own.map(
            (value: number, i: number) => [`${task}/${i}`, { task, scene: "hall", value }] as const,
          ),
        ),
      ),
    },
    ...more,
  };
}

/** The given number of ones, then zeros. */
const ones = (count: number, of = 40) => Array.from({ length: of }, (_, i) => (i < count ? 1 : 0));

describe("a leaderboard", () => {
  it("a leaderboard lists the best team first, which has the lowest value if lower is better", () => {
    const teams = [standing("b", ones(10)), standing("a", ones(30)), standing("c", ones(20))];
    expect(rank(teams, "success").rows.map(({ team }) => team)).toEqual(["a", "c", "b"]);
    const lower = teams.map((team) => ({
      ...team,
      scores: {
        success: {
          ...score(null),
          mean: team.scores.success?.mean ?? 0,
          direction: "lower" as const,
        },
      },
    }));
    expect(rank(lower, "success").rows.map(({ team }) => team)).toEqual(["b", "c", "a"]);
  });

  it("a leaderboard gives equal values the same rank, in order of submission, and skips the next rank", () => {
    const teams = [
      standing("late", ones(20), { submitted_at: "2027-01-03T00:00:00Z" }),
      standing("early", ones(20), { submitted_at: "2027-01-02T00:00:00Z" }),
      standing("best", ones(30)),
      standing("last", ones(5)),
    ];
    const { rows } = rank(teams, "success");
    expect(rows.map((row) => [row.team, row.rank, row.tied])).toEqual([
      ["best", 1, false],
      ["early", 2, true],
      ["late", 2, true],
      ["last", 4, false],
    ]);
  });

  it("a leaderboard lists a team without a value last, even if lower is better", () => {
    const none = standing("none", ones(1), { scores: { success: score(null, "lower") } });
    const some = standing("some", ones(1), { scores: { success: score(9, "lower") } });
    expect(rank([none, some], "success").rows.map(({ team }) => team)).toEqual(["some", "none"]);
  });

  it("a leaderboard compares adjacent rows by the paired tests of compare, adjusted together", () => {
    const a = ones(36);
    const b = ones(16);
    const c = ones(14);
    const { rows, tests } = rank([standing("a", a), standing("b", b), standing("c", c)], "success");
    const p = holmAdjust([comparePairs(a, b).p ?? 1, comparePairs(b, c).p ?? 1]);
    expect(tests).toBe(2);
    expect(rows.map(({ above }) => above?.p_holm ?? null)).toEqual([null, ...p]);
    expect(rows.map(({ above }) => above?.distinguishable ?? null)).toEqual([null, true, false]);
    expect(rows[1]?.above).toMatchObject({ test: "mcnemar_score", n: 40 });
  });

  it("a leaderboard uses the paired t test for metrics that are not binary", () => {
    const a = [0.9, 0.4, 0.8, 0.7, 0.6];
    const b = [0.5, 0.3, 0.6, 0.2, 0.5];
    const { rows } = rank([standing("a", a), standing("b", b)], "success");
    expect(rows[1]?.above).toMatchObject({ test: "paired_t", p_holm: comparePairs(a, b).p });
  });

  it("a leaderboard compares on shared episodes only, and gives no p-value if there are none", () => {
    const a = standing("a", { vln: ones(8, 10) });
    const b = standing("b", { other: ones(3, 10) });
    const { rows, tests } = rank([a, b], "success");
    expect(tests).toBe(0);
    expect(rows[1]?.above).toMatchObject({ n: 0, p_holm: null, distinguishable: false });
  });

  it("a leaderboard gives every task the same weight", () => {
    // 200 episodes of one task show no difference; 10 of the other differ by almost the same value.
    const vln = ones(100, 200);
    const a = { vln, pick: [1, 1, 1, 1, 1, 1, 1, 1, 1, 0] };
    const b = { vln, pick: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };
    const { rows } = rank([standing("a", a), standing("b", b)], "success");
    const alone = comparePairs(a.pick, b.pick, { repeated: true }).p ?? 1;
    expect(rows[1]?.above?.test).toBe("stratified_t");
    expect(rows[1]?.above?.p_holm).toBeCloseTo(alone, 12);
    const even = rank([standing("a", a), standing("b", a)], "success").rows[1];
    expect(even?.above).toMatchObject({ p_holm: 1, distinguishable: false });
  });

  it("a leaderboard does not depend on the order in which teams are given", () => {
    const values = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 6 }), (all) => {
        const teams = all.map((own, i) => standing(`team ${i}`, own));
        const { rows } = rank(teams, "success");
        expect(rank([...teams].reverse(), "success").rows).toEqual(rows);
        rows.forEach((row, i) => {
          expect(row.rank).toBeLessThanOrEqual(i + 1);
          if (row.tied && row.rank <= i) expect(row.above?.distinguishable).toBe(false);
        });
      }),
      { numRuns: 50 },
    );
  });
});
