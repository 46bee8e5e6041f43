import { describe, expect, it } from "vitest";
import type { ResultsTable } from "./document.js";
import { outcomes, tableRun } from "./run.fixture.js";
import { resultsTable } from "./table.js";

/** The policies with a bold value, for each column. */
function bold({ tasks, rows }: ResultsTable): Record<string, string[]> {
  return Object.fromEntries(
    tasks.flatMap(({ task, metrics }, t) =>
      metrics.map(({ metric }, m) => [
        `${task} ${metric}`,
        rows.filter((row) => row.tasks[t]?.values[m]?.best).map(({ policy }) => policy),
      ]),
    ),
  );
}

const good = tableRun({ agent: "good", lines: outcomes(40, 36) });
const fair = tableRun({ agent: "fair", lines: outcomes(40, 33) });
const poor = tableRun({ agent: "poor", lines: outcomes(40, 4) });

describe("a results table", () => {
  it("a results table has mean, interval, n and invalid episodes of each run", async () => {
    const lines = outcomes(40, 36);
    const invalid = { ...lines[39], outcome: "invalid" as const, fault: "platform" as const };
    const run = tableRun({
      agent: "good",
      lines: [...lines.slice(0, 39), { ...invalid, metrics: {} }],
    });
    const { rows, tasks } = await resultsTable([run]);
    expect(tasks[0]?.metrics.map(({ metric }) => metric)).toEqual([
      "success",
      "navigation_error",
      "steps_taken",
    ]);
    expect(rows[0]).toMatchObject({ policy: "good", tasks: [{ n: 39, invalid: 1 }] });
    const success = rows[0]?.tasks[0]?.values[0];
    expect(success?.mean).toBeCloseTo(36 / 39, 12);
    expect(success?.ci95?.[0]).toBeLessThan(36 / 39);
  });

  it("a results table makes the best value bold where the paired tests against all rows are significant", async () => {
    expect(bold(await resultsTable([good, poor]))).toEqual({
      "vln success": ["good"],
      "vln navigation_error": ["good"],
      // No direction, so no value is better.
      "vln steps_taken": [],
    });
  });

  it("a results table makes nothing bold where one other row is not shown to be worse", async () => {
    const table = await resultsTable([good, fair, poor]);
    expect(table.rows[0]?.tasks[0]?.values[0]?.mean).toBeGreaterThan(0.85);
    expect(bold(table)["vln success"]).toEqual([]);
  });

  it("a results table corrects for the tests of every pair of rows", async () => {
    // Six gained, none lost: p = 0.014, significant among 3 tests and not among 15.
    const first = tableRun({ agent: "first", lines: outcomes(40, 26) });
    const second = tableRun({ agent: "second", lines: outcomes(40, 20) });
    const third = tableRun({ agent: "third", lines: outcomes(40, 20) });
    const only = { metrics: ["success"] };
    expect(bold(await resultsTable([first, second], only))).toEqual({ "vln success": ["first"] });
    const three = await resultsTable([first, second, third], only);
    expect(bold(three)).toEqual({ "vln success": ["first"] });
    expect(three.notes.join(" ")).toContain("for 3 tests of primary metrics");
    const more = Array.from({ length: 3 }, (_, i) =>
      tableRun({ agent: `more ${i}`, lines: outcomes(40, 20) }),
    );
    expect(bold(await resultsTable([first, second, third, ...more], only))).toEqual({
      "vln success": [],
    });
  });

  it("a results table shows the primary metric of each of several tasks, and a dash for a missing task", async () => {
    const other = { task: "objectnav", metrics: { success: 1, navigation_error: 1 } };
    const both = tableRun({ agent: "both", lines: [...outcomes(5, 5), ...outcomes(5, 5, other)] });
    const one = tableRun({ agent: "one", lines: outcomes(5, 0) });
    const table = await resultsTable([both, one], { shared: true });
    expect(table.tasks.map(({ task, metrics }) => [task, metrics.map((m) => m.metric)])).toEqual([
      ["vln", ["success"]],
      ["objectnav", ["success"]],
    ]);
    expect(table.rows[1]?.tasks[1]).toEqual({ n: null, invalid: null, values: [null] });
    expect(bold(table)["objectnav success"]).toEqual([]);
  });

  it("a results table shows the chosen tasks and metrics in the given order", async () => {
    const { tasks } = await resultsTable([good], { metrics: ["navigation_error", "success"] });
    expect(tasks[0]?.metrics.map(({ metric }) => metric)).toEqual(["navigation_error", "success"]);
  });

  it("a results table rejects unknown names, a run that is given twice, and runs that are not comparable", async () => {
    const code = (code: string) => expect.objectContaining({ code });
    await expect(resultsTable([good], { metrics: ["sucess"] })).rejects.toEqual(
      code("unknown_metric"),
    );
    await expect(resultsTable([good], { tasks: ["nav"] })).rejects.toEqual(code("unknown_task"));
    await expect(resultsTable([good, `${good}/.`])).rejects.toEqual(code("same_run"));
    const strict = tableRun({ agent: "strict", lines: outcomes(40, 3, { profile: "habitat" }) });
    await expect(resultsTable([good, strict])).rejects.toEqual(code("different_profiles"));
    const fewer = tableRun({ agent: "fewer", lines: outcomes(20, 3) });
    await expect(resultsTable([good, fewer])).rejects.toEqual(code("different_selections"));
    expect((await resultsTable([good, fewer], { shared: true })).rows).toHaveLength(2);
  });

  it("a results table rejects a run that stopped early and has episodes that a complete run lacks", async () => {
    const stop = { metric: "success", half_width: 0.1, reached: true, counted: 50, of: 60 };
    const early = tableRun({
      agent: "early",
      lines: outcomes(50, 2),
      summary: { early_stop: { vln: stop } },
    });
    await expect(resultsTable([good, early])).rejects.toMatchObject({
      code: "different_selections",
    });
  });

  it("a results table distinguishes rows of the same policy by their run ids", async () => {
    const again = tableRun({ agent: "good", lines: outcomes(40, 36), info: { run_id: "b-run" } });
    const { rows } = await resultsTable([good, again]);
    expect(rows.map(({ policy }) => policy)).toEqual(["good (a-run)", "good (b-run)"]);
  });
});

describe("the rows of a results table", () => {
  it("the rows of a results table have the run name, else what the policy declared, and no footnote about either", async () => {
    const lines = outcomes(10, 5);
    const policies = { vln: { name: "openvla", version: "7b", checkpoint: "step-2000" } };
    const { rows } = await resultsTable([
      tableRun({ agent: "ws://a:1", lines, info: { policies } }),
      tableRun({ agent: "ws://a:1", lines, info: { policies, name: "night run" } }),
      tableRun({ agent: "ws://a:1", lines }),
    ]);
    expect(rows.map(({ policy, marks }) => [policy, marks])).toEqual([
      ["openvla 7b, checkpoint step-2000", []],
      ["night run", []],
      ["ws://a:1", []],
    ]);
  });
});

describe("the footnotes of a results table", () => {
  const stop = { metric: "success", half_width: 0.1, reached: true, counted: 30, of: 40 };

  it("the footnotes of a results table state early stops, partial scores, unfinished runs and other settings", async () => {
    const early = tableRun({
      agent: "early",
      lines: outcomes(30, 2),
      info: { config: { evaluation: { early_stop: { half_width: 0.1 } } } },
      summary: { early_stop: { vln: stop } },
    });
    const partial = tableRun({
      agent: "partial",
      lines: outcomes(10, 2),
      info: { partial: { scored: 10, of: 40 } },
    });
    const seeded = tableRun({ agent: "seeded", lines: outcomes(40, 2), info: { seed: 7 } });
    const { rows, footnotes } = await resultsTable([good, early, partial, seeded]);
    expect(rows.map(({ marks }) => marks)).toEqual([[], ["a"], ["b"], ["c"]]);
    expect(footnotes).toEqual([
      {
        mark: "a",
        text: "The run stopped vln early, after 30 of 40 episodes, when its interval was narrow enough.",
      },
      {
        mark: "b",
        text: "The run is partial: 10 of 40 episodes were scored, and the others have no prediction.",
      },
      { mark: "c", text: "Differs from the first row in seed." },
    ]);
  });

  it("the footnotes of a results table become a common note where they hold for every row", async () => {
    const limited = (agent: string, succeeding: number) =>
      tableRun({ agent, lines: outcomes(10, succeeding), info: { selection: { limit: 10 } } });
    const { rows, notes } = await resultsTable([limited("one", 9), limited("two", 2)]);
    expect(rows.map(({ marks }) => marks)).toEqual([[], []]);
    expect(notes).toContain(
      "Of the benchmark, only part of its episodes were selected (at most 10 per task).",
    );
    expect(notes).toContain("Metric profiles: r2r (vln).");
  });

  it("the footnotes of a results table give the rate without episodes that a fault of the agent ended", async () => {
    const lines = outcomes(10, 8);
    const run = tableRun({
      agent: "drops out",
      lines: lines.map((line, i) => (i === 9 ? { ...line, fault: "agent" as const } : line)),
    });
    const { notes } = await resultsTable([run]);
    expect(notes).toContain(
      "Without episodes that a fault of the agent ended, success of vln is 0.889.",
    );
  });
});
