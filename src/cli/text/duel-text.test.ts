import { describe, expect, it } from "vitest";
import type { DuelComparison } from "../../evaluator/duel/duel-document.js";
import type { DuelResult } from "../../evaluator/duel/hold-duel.js";
import { duelText } from "./duel-text.js";

const comparison: DuelComparison = {
  ...{ task: "vln", metric: "success", a: 0, b: 1, verdict: "better", pairs: 47 },
  ...{ only_a: 14, only_b: 3, mean_a: 0.787, mean_b: 0.553, difference: -0.234 },
  ...{ ci95: [-0.487, 0], ci_method: "sequential" },
};

type NamedDuel = Omit<DuelResult, "folder">;

const document: NamedDuel = {
  ...{ format: "robot-eval-duel/1", id: "d", benchmark: "small", seed: 0, alpha: 0.05 },
  ...{ margin: 0.1, metric: null, status: "done" },
  policies: [
    { agent: "old", run: "1-old" },
    { agent: "new", run: "2-new" },
  ],
  names: ["old, checkpoint 7 (ws://a:1)", "new"],
  comparisons: [comparison],
  ranks: {
    vln: [
      [1, 1],
      [2, 2],
    ],
  },
  episodes: { used: 94, of: 120, saved: 26 },
  flipped: [{ episode_key: "vln/a/1", solved_by: [0], failed_by: [1] }],
};

const withVerdict = (verdict: DuelComparison["verdict"], more: Partial<NamedDuel> = {}) =>
  duelText({ ...document, ...more, comparisons: [{ ...comparison, verdict }] });

describe("text of a duel", () => {
  it("the text of a duel names the better policy, the numbers, the saved and the flipped episodes", () => {
    expect(duelText(document).split("\n")).toEqual([
      "duel on small",
      "  A  old, checkpoint 7 (ws://a:1)",
      "  B  new",
      "",
      "vln: A is better than B in success, after 47 episodes",
      "",
      "  pair     first  second  difference  95 % sequence     n  only 1st  only 2nd",
      "  vln A B  0.787   0.553      -0.234  [-0.487, 0.000]  47        14         3",
      "",
      "94 of 120 episodes were needed, 26 were saved",
      "",
      "1 episode that some policies solved and others failed",
      "  vln/a/1: solved by A, failed by B",
    ]);
  });

  it("the text of a duel says what each other verdict means", () => {
    expect(withVerdict("worse")).toContain("vln: B is better than A in success");
    expect(withVerdict("equivalent")).toContain("A and B differ by less than 0.1 in success");
    expect(withVerdict("undecided")).toContain("after 47 episodes: no difference was shown");
    expect(withVerdict("undecided", { status: "cancelled" })).toContain("episodes: interrupted");
  });

  it("the text of a duel lists the ranks of more than two policies, the best first", () => {
    const names = ["old", "new", "other"];
    const comparisons = [
      { ...comparison, verdict: "worse" },
      { ...comparison, verdict: "undecided", b: 2 },
    ] as const;
    expect(duelText({ ...document, names, comparisons })).toContain(
      "undecided between A and C in success, after 47 episodes: A was dropped",
    );
    const ranks = {
      vln: [
        [2, 3],
        [1, 1],
        [2, 3],
      ],
    } as const;
    expect(withVerdict("worse", { names, ranks })).toContain(
      "  1        B  new\n  2 to 3   A  old\n  2 to 3   C  other",
    );
  });
});
