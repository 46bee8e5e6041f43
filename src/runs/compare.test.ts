import { describe, expect, it } from "vitest";
import { episodeLine, runInfo, temporaryFolder } from "../../test/support/cli.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { compareRuns } from "./compare.js";
import { RunWriter } from "./run-directory.js";
import { Summariser } from "./summary.js";

async function writeRun(agent: string, lines: readonly EpisodeLine[]): Promise<string> {
  const info = runInfo({ agent });
  const writer = await RunWriter.create(temporaryFolder(), info, "", "live");
  for (const line of lines) await writer.append(line);
  const context = { runId: "a-run", benchmark: "b", agent, seed: 0, tasks: {} };
  return writer.finish(new Summariser(context).finish("done"), "", []);
}

/** Ten episodes of which the named ones succeed. */
const ten = (succeeding: readonly number[], lengths: Readonly<Record<number, number>> = {}) =>
  Array.from({ length: 10 }, (_, i) =>
    episodeLine({
      episode_id: String(i + 1),
      metrics: {
        success: succeeding.includes(i + 1) ? 1 : 0,
        path_length: lengths[i + 1] ?? null,
      },
    }),
  );

const keys = (...ids: readonly number[]) => ids.map((id) => `vln/hall/${id}`);

describe("two runs on the same episodes", async () => {
  const a = await writeRun("old", ten([1, 2, 3, 4], { 1: 4, 2: 4, 3: 4 }));
  const b = await writeRun("new", ten([3, 4, 5, 6, 7, 8, 9, 10], { 1: 5, 2: 6, 3: 7 }));
  const comparison = await compareRuns(a, b);
  const [success, length] = comparison.metrics;

  it("are compared by McNemar's exact test where all is 0 or 1", () => {
    expect(success).toMatchObject({ task: "vln", metric: "success", n: 10, test: "mcnemar_exact" });
    expect(success?.mean_a).toBeCloseTo(0.4, 15);
    expect(success?.mean_b).toBeCloseTo(0.8, 15);
    expect(success?.difference).toBeCloseTo(0.4, 15);
    // 2 lost, 6 gained: 2 (C(8,0) + C(8,1) + C(8,2)) / 2^8
    expect(success?.p).toBeCloseTo(74 / 256, 12);
  });

  it("are compared by the paired t test elsewhere, on episodes where both have a value", () => {
    expect(length).toMatchObject({ metric: "path_length", n: 3, test: "paired_t" });
    expect(length?.difference).toBeCloseTo(2, 15);
    // Differences 1, 2, 3: t = 2√3 with 2 degrees of freedom, where p = 1 - t/√(2 + t²).
    expect(length?.p).toBeCloseTo(1 - Math.sqrt(12 / 14), 12);
  });

  it("have p-values that are adjusted for the number of metrics", () => {
    expect(length?.p_holm).toBeCloseTo(2 * (length?.p ?? Number.NaN), 15);
    expect(success?.p_holm).toBe(success?.p);
  });

  it("have an interval around the difference, and say how it was made", () => {
    for (const row of comparison.metrics) {
      expect(row.ci95?.[0]).toBeLessThanOrEqual(row.difference);
      expect(row.ci95?.[1]).toBeGreaterThanOrEqual(row.difference);
      expect(row.ci_method).toBe("bootstrap");
    }
  });

  it("list the episodes that came out otherwise", () => {
    expect(comparison.flipped).toEqual({
      to_success: keys(5, 6, 7, 8, 9, 10),
      to_failure: keys(1, 2),
    });
  });

  it("are named", () => {
    expect(comparison.a).toEqual({ run_id: "a-run", agent: "old", run_dir: a });
    expect(comparison.b).toEqual({ run_id: "a-run", agent: "new", run_dir: b });
    expect(comparison.episodes).toEqual({ shared: 10, only_a: 0, only_b: 0, invalid: 0 });
  });

  it("show no difference when they are the same run", async () => {
    const same = await compareRuns(a, a);
    for (const row of same.metrics) {
      expect(row).toMatchObject({ difference: 0, p: 1, p_holm: 1, ci95: [0, 0] });
    }
    expect(same.flipped).toEqual({ to_success: [], to_failure: [] });
  });

  it("are the same comparison each time", async () => {
    expect(await compareRuns(a, b)).toEqual(comparison);
  });
});

describe("episodes", () => {
  it("that only one run has, or could judge, are counted and left out", async () => {
    const a = await writeRun("a", [
      ...ten([1, 2]).slice(0, 3),
      episodeLine({ episode_id: "bad", outcome: "invalid", fault: "platform" }),
      episodeLine({ episode_id: "a only" }),
    ]);
    const b = await writeRun("b", [
      ...ten([1, 2]).slice(1, 3),
      episodeLine({ episode_id: "bad", metrics: { success: 1 } }),
      episodeLine({ episode_id: "b only" }),
      episodeLine({ episode_id: "b only too" }),
    ]);
    const { episodes, metrics, flipped } = await compareRuns(a, b);
    expect(episodes).toEqual({ shared: 3, only_a: 2, only_b: 2, invalid: 1 });
    expect(metrics.map((row) => row.n)).toEqual([2]);
    expect(flipped.to_success).toEqual([]);
  });

  it("that were tried again count as they ended", async () => {
    const first = episodeLine({ outcome: "invalid", fault: "platform" });
    const a = await writeRun("a", [first, episodeLine({ attempt: 2, metrics: { success: 1 } })]);
    const { episodes } = await compareRuns(a, a);
    expect(episodes).toEqual({ shared: 1, only_a: 0, only_b: 0, invalid: 0 });
  });

  it("of several tasks are compared task by task", async () => {
    const lines = ["vln", "nav"].map((task) => episodeLine({ task, metrics: { success: 1 } }));
    const run = await writeRun("a", lines);
    const { metrics } = await compareRuns(run, run);
    expect(metrics.map((row) => [row.task, row.n])).toEqual([
      ["nav", 1],
      ["vln", 1],
    ]);
  });

  it("come to the same intervals in whatever order they ended", async () => {
    const lines = Array.from({ length: 30 }, (_, i) =>
      episodeLine({
        episode_id: String(i),
        scene_id: `s${i % 7}`,
        metrics: { spl: (i * 37) % 11 },
      }),
    );
    const other = lines.map((line, i) => ({ ...line, metrics: { spl: (i * 17) % 13 } }));
    const one = await compareRuns(await writeRun("a", lines), await writeRun("b", other));
    const turned = await compareRuns(
      await writeRun("c", lines.toReversed()),
      await writeRun("d", other.toReversed()),
    );
    expect(turned.metrics).toEqual(one.metrics);
  });

  it("cannot be tested for a mean when there is only one", async () => {
    const run = await writeRun("a", ten([1], { 1: 4 }).slice(0, 1));
    const { metrics } = await compareRuns(run, run);
    expect(metrics[1]).toMatchObject({ metric: "path_length", p: null, p_holm: null, ci95: null });
    expect(metrics[0]).toMatchObject({ metric: "success", p: 1 });
  });
});

describe("runs that cannot be compared", () => {
  it("share no episode", async () => {
    const a = await writeRun("a", [episodeLine({ episode_id: "1" })]);
    const b = await writeRun("b", [episodeLine({ episode_id: "2" })]);
    await expect(compareRuns(a, b)).rejects.toMatchObject({
      code: "nothing_shared",
      exitCode: 2,
      hint: expect.stringContaining("same benchmark"),
    });
  });

  it("follow different profiles", async () => {
    const a = await writeRun("a", [episodeLine({ profile: "r2r" })]);
    const b = await writeRun("b", [episodeLine({ profile: "vlnce" })]);
    await expect(compareRuns(a, b)).rejects.toMatchObject({
      code: "different_profiles",
      message: expect.stringContaining("r2r and vlnce"),
      hint: expect.stringContaining("--profile r2r"),
    });
  });

  it("are not both there", async () => {
    const a = await writeRun("a", [episodeLine()]);
    await expect(compareRuns(a, `${a}-none`)).rejects.toMatchObject({ code: "no_run" });
  });
});
