import { describe, expect, it } from "vitest";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { compareRuns, compareWithBaseline } from "./compare.js";
import { episodes, keys, writeRun } from "./run.fixture.js";

/** Ten episodes, of which the given ones succeed. */
const ten = (succeeding: readonly number[], lengths: Readonly<Record<number, number>> = {}) =>
  episodes(10, succeeding).map((line, i) => ({
    ...line,
    metrics: { ...line.metrics, path_length: lengths[i + 1] ?? null },
  }));

const numbered = (count: number, metrics: (i: number) => EpisodeLine["metrics"]) =>
  Array.from({ length: count }, (_, i) => ({ episode_id: String(i), metrics: metrics(i) }));

describe("compareRuns of runs on different versions of MuJoCo", () => {
  const played = (backend: string, mujoco: string) =>
    writeRun({
      lines: ten([1]),
      info: { config: { simulator: { backend } }, versions: { mujoco } },
    });

  it("compareRuns notes that contacts may differ", async () => {
    const notes = async (backend: string, ...[one = "", other = ""]: string[]) =>
      (await compareRuns(played(backend, one), played(backend, other))).notes.join();
    expect(await notes("frozen", "3.14.0", "3.13.0")).toContain(
      "A was played on MuJoCo 3.14.0, B on 3.13.0",
    );
    expect(await notes("frozen", "3.14.0", "3.14.0")).not.toContain("MuJoCo");
    expect(await notes("navmesh", "3.14.0", "3.13.0")).not.toContain("MuJoCo");
  });
});

describe("compareRuns on the same episodes", async () => {
  const a = writeRun({
    info: { agent: "old" },
    lines: ten([1, 2, 3, 4], { 1: 4, 2: 4, 3: 4 }),
    directions: { success: "higher", path_length: "lower" },
  });
  const b = writeRun({
    info: { agent: "new" },
    lines: ten([3, 4, 5, 6, 7, 8, 9, 10], { 1: 5, 2: 6, 3: 7 }),
  });
  const comparison = await compareRuns(a, b);
  const [success, length] = comparison.metrics;

  it("compareRuns uses the McNemar score test for binary metrics", () => {
    expect(success).toMatchObject({
      task: "vln",
      metric: "success",
      primary: true,
      direction: "higher",
      n: 10,
      test: "mcnemar_score",
      discordant: { only_a: 2, only_b: 6 },
    });
    expect(success?.mean_a).toBeCloseTo(0.4, 15);
    expect(success?.mean_b).toBeCloseTo(0.8, 15);
    expect(success?.difference).toBeCloseTo(0.4, 15);
    // 2 lost, 6 gained: z = 4/√8, and scipy 1.17 gives 2 norm.sf(√2).
    expect(success?.p).toBeCloseTo(0.15729920705028502, 12);
  });

  it("compareRuns uses the paired t test for other metrics, on episodes where both runs have a value", () => {
    expect(length).toMatchObject({
      metric: "path_length",
      primary: false,
      direction: "lower",
      n: 3,
      test: "paired_t",
      discordant: null,
    });
    expect(length?.difference).toBeCloseTo(2, 15);
    // Differences 1, 2, 3: t = 2√3 with 2 degrees of freedom, where p = 1 - t/√(2 + t²).
    expect(length?.p).toBeCloseTo(1 - Math.sqrt(12 / 14), 12);
  });

  it("compareRuns adjusts the p-values of primary metrics, however many other metrics there are", () => {
    expect(comparison.tests).toBe(1);
    expect(success?.p_holm).toBe(success?.p);
    expect(length?.p_holm).toBeNull();
  });

  it("compareRuns reports an interval of the difference and its method", () => {
    for (const row of comparison.metrics) {
      expect(row.ci95?.[0]).toBeLessThanOrEqual(row.difference);
      expect(row.ci95?.[1]).toBeGreaterThanOrEqual(row.difference);
    }
    expect(comparison.metrics.map((row) => row.ci_method)).toEqual(["tango", "student_t"]);
  });

  it("compareRuns lists the flipped episodes", () => {
    expect(comparison.flipped).toEqual({
      to_success: keys(5, 6, 7, 8, 9, 10),
      to_failure: keys(1, 2),
    });
  });

  it("compareRuns identifies both runs", () => {
    const common = { run_id: "a-run", status: "done", seed: 0, repeats: 1 };
    expect(comparison.a).toEqual({ ...common, agent: "old", run_dir: a });
    expect(comparison.b).toEqual({ ...common, agent: "new", run_dir: b });
    expect(comparison.changed).toEqual([{ key: "agent", a: "old", b: "new" }]);
    expect(comparison.episodes).toEqual({
      shared: 10,
      only_a: 0,
      only_b: 0,
      invalid: 0,
      compared: 10,
    });
  });

  it("compareRuns reports no difference between a run and itself, and adds a note", async () => {
    const same = await compareRuns(a, `${a}/`);
    for (const row of same.metrics) {
      expect(row).toMatchObject({ difference: 0, p: 1, verdict: "unclear", tell_apart: null });
    }
    // Ten episodes without a difference bound the share that differs: z²/(10 + z²).
    const [low, high] = same.metrics[0]?.ci95 ?? [];
    expect(low).toBeCloseTo(-0.2775, 4);
    expect(high).toBeCloseTo(0.2775, 4);
    // Nothing bounds a length.
    expect(same.metrics[1]?.ci95).toBeNull();
    expect(same.flipped).toEqual({ to_success: [], to_failure: [] });
    expect(same.notes).toEqual(["A and B are the same run"]);
  });

  it("compareRuns gives the same result each time", async () => {
    expect(await compareRuns(a, b)).toEqual(comparison);
  });
});

describe("McNemar's test", () => {
  it.each([
    [213, 27, 3.294546985658735e-33],
    [259, 318, 0.014041415108119503],
  ])(
    "the McNemar test gives the p of statsmodels for %i lost and %i gained episodes",
    async (lost, gained, p) => {
      const solved = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) => from + i);
      const total = lost + gained;
      const a = writeRun({ lines: episodes(total, solved(1, lost)) });
      const b = writeRun({ lines: episodes(total, solved(lost + 1, gained)) });
      const [row] = (await compareRuns(a, b)).metrics;
      expect(row?.discordant).toEqual({ only_a: lost, only_b: gained });
      expect((row?.p ?? 0) / p).toBeCloseTo(1, 9);
      expect(row?.verdict).toBe(lost > gained ? "worse" : "better");
    },
  );
});

describe("the verdict of a comparison", () => {
  const run = (...values: readonly number[]) =>
    writeRun({
      lines: numbered(values.length, (i) => ({
        success: 1,
        error: values[i] ?? 0,
        steps: values[i] ?? 0,
      })),
      directions: { success: "higher", error: "lower", steps: "none" },
    });
  const low = run(1, 2, 1, 2, 1, 2, 1, 2);
  const high = run(11, 12, 11.5, 12, 11, 12.5, 11, 12);

  it("the verdict depends on the direction of the metric", async () => {
    const up = (await compareRuns(low, high)).metrics;
    expect(up.map((row) => row.verdict)).toEqual(["unclear", "worse", "differs"]);
    const down = (await compareRuns(high, low)).metrics;
    expect(down.map((row) => row.verdict)).toEqual(["unclear", "better", "differs"]);
  });

  it("an insignificant comparison estimates the number of episodes needed", async () => {
    const a = writeRun({ lines: episodes(40, [1, 2, 3]) });
    const b = writeRun({ lines: episodes(40, [3, 4, 5, 6, 7]) });
    const [row] = (await compareRuns(a, b)).metrics;
    expect(row).toMatchObject({ significant: false, verdict: "unclear" });
    const needed = row?.tell_apart?.needed ?? Number.NaN;
    expect(needed).toBeGreaterThan(100);
    expect(row?.tell_apart?.more).toBe(needed - 40);
  });

  it("a verdict on runs without a summary has no direction", async () => {
    const under = (values: readonly number[]) =>
      writeRun({
        info: { status: "running" },
        lines: numbered(values.length, (i) => ({ error: values[i] ?? 0 })),
      });
    const { metrics } = await compareRuns(under([1, 2, 1]), under([11, 12, 11.5]));
    expect(metrics).toMatchObject([{ primary: true, direction: null, verdict: "differs" }]);
  });
});

describe("a comparison of few episodes", () => {
  const compare = async (a: readonly number[], b: readonly number[], count = 5) =>
    (
      await compareRuns(
        writeRun({ lines: episodes(count, a) }),
        writeRun({ lines: episodes(count, b) }),
      )
    ).metrics[0];

  it("a comparison of few episodes has an interval with a width where every episode changes", async () => {
    const row = await compare([], [1, 2, 3, 4, 5]);
    expect(row).toMatchObject({ difference: 1, verdict: "better", tell_apart: null });
    expect(row?.ci95?.[0]).toBeCloseTo(0.131, 3);
    expect(row?.ci95?.[1]).toBe(1);
  });

  it("a comparison of few episodes states a detectable difference above the observed one, or none", async () => {
    const three = await compare([], [1, 2, 3], 3);
    expect(three).toMatchObject({ difference: 1, verdict: "unclear" });
    expect(three?.tell_apart).toEqual({ needed: 4, more: 1, detectable: null });
    const row = await compare([1], [2, 3, 4], 20);
    expect(row?.tell_apart?.detectable).toBeGreaterThan(0.1);
    expect(row?.tell_apart?.detectable).toBeLessThan(1);
  });

  it("a comparison of few episodes keeps the interval of a bounded metric inside the differences that are possible", async () => {
    const run = (values: readonly number[]) =>
      writeRun({
        lines: numbered(4, (i) => ({ spl: values[i] ?? 0 })).map((line, i) => ({
          ...line,
          scene_id: `s${i % 2}`,
        })),
      });
    const [row] = (await compareRuns(run([0.9, 0.5, 1, 0.8]), run([0, 0, 0, 0.1]))).metrics;
    expect(row?.ci95?.[0]).toBe(-1);
    expect(row?.ci95?.[1]).toBeLessThanOrEqual(1);
  });
});

describe("comparing several runs", () => {
  it("a comparison of several runs compares each with the first and corrects all tests together", async () => {
    const a = writeRun({ lines: episodes(12, []) });
    const b = writeRun({ lines: episodes(12, [1, 2, 3, 4, 5, 6, 7]) });
    const c = writeRun({ lines: episodes(12, [1, 2, 3, 4]) });
    const alone = await compareRuns(a, b);
    // 7 and 4 gained, none lost: scipy 1.17 gives 2 norm.sf(√7) and 2 norm.sf(2).
    const [seven, four] = [0.008150971593502691, 0.04550026389635839];
    expect(alone.metrics[0]).toMatchObject({
      p_holm: expect.closeTo(seven, 12),
      significant: true,
    });
    const { baseline, comparisons } = await compareWithBaseline(a, [b, c, a]);
    expect(baseline.run_dir).toBe(a);
    expect(comparisons.map(({ b: other }) => other.run_dir)).toEqual([b, c, a]);
    expect(comparisons.map(({ tests }) => tests)).toEqual([3, 3, 3]);
    expect(comparisons.map(({ metrics }) => metrics[0]?.p_holm)).toEqual([
      expect.closeTo(3 * seven, 12),
      expect.closeTo(2 * four, 12),
      1,
    ]);
    expect(comparisons.map(({ metrics }) => metrics[0]?.significant)).toEqual([true, false, false]);
  });
});

describe("compareRuns", () => {
  it("compareRuns uses the last attempt of a retried episode", async () => {
    const run = writeRun({
      lines: [
        { outcome: "invalid", fault: "platform" },
        { attempt: 2, metrics: { success: 1 } },
      ],
    });
    const compared = await compareRuns(run, run);
    expect(compared.episodes).toMatchObject({ shared: 1, invalid: 0, compared: 1 });
  });

  it("compareRuns counts and lists episodes that are invalid in one run, with the reason, and excludes them", async () => {
    const bad = { outcome: "invalid", fault: "data", explanation: "no way leads there" } as const;
    const a = writeRun({ lines: [...episodes(3, [1, 2]), { episode_id: "bad", ...bad }] });
    const b = writeRun({
      lines: [
        ...episodes(2, [1]),
        { episode_id: "3", ...bad, fault: "platform" },
        { episode_id: "bad", metrics: { success: 1 } },
      ],
    });
    const compared = await compareRuns(a, b);
    expect(compared.episodes).toMatchObject({ shared: 4, invalid: 2, compared: 2 });
    expect(compared.metrics.map((row) => row.n)).toEqual([2]);
    expect(compared.flipped).toEqual({ to_success: [], to_failure: keys(2) });
    expect(compared.unjudged_tasks).toEqual([]);
    expect(compared.invalid_episodes).toEqual([
      { episode_key: "vln/hall/3", b: { fault: "platform", explanation: "no way leads there" } },
      { episode_key: "vln/hall/bad", a: { fault: "data", explanation: "no way leads there" } },
    ]);
  });

  it("compareRuns lists tasks without an episode that is valid in both runs", async () => {
    const lines = (outcome: "failure" | "invalid") => [
      { metrics: { success: 1 } },
      { task: "nav", outcome },
    ];
    const [a, b] = [writeRun({ lines: lines("failure") }), writeRun({ lines: lines("invalid") })];
    const { unjudged_tasks, metrics } = await compareRuns(a, b);
    expect(unjudged_tasks).toEqual(["nav"]);
    expect(metrics.map(({ task }) => task)).toEqual(["vln"]);
  });

  it("compareRuns counts episodes in which the agent disconnected as failures", async () => {
    const honest = writeRun({ lines: episodes(10, [1, 2, 3, 4, 5]) });
    const quits = writeRun({
      lines: episodes(10, [1, 2, 3, 4, 5]).map((line, i) =>
        i < 5 ? line : { ...line, fault: "agent", end_reason: "agent_closed" },
      ),
    });
    const { metrics, episodes: counts, changed_ends } = await compareRuns(honest, quits);
    expect(counts).toMatchObject({ invalid: 0, compared: 10 });
    expect(metrics).toMatchObject([{ mean_a: 0.5, mean_b: 0.5, difference: 0, p: 1 }]);
    expect(changed_ends).toEqual([{ task: "vln", a: "stop", b: "agent_closed", count: 5 }]);
  });

  it("compareRuns compares several tasks separately", async () => {
    const lines = ["vln", "nav"].map((task) => ({ task, metrics: { success: 1 } }));
    const run = writeRun({ lines });
    const { metrics } = await compareRuns(run, run);
    expect(metrics.map((row) => [row.task, row.n, row.primary])).toEqual([
      ["nav", 1, true],
      ["vln", 1, true],
    ]);
  });

  it("compareRuns gives the same intervals regardless of the order in which episodes finished", async () => {
    const lines = numbered(30, (i) => ({ spl: (i * 37) % 11 })).map((line, i) => ({
      ...line,
      scene_id: `s${i % 7}`,
    }));
    const other = lines.map((line, i) => ({ ...line, metrics: { spl: (i * 17) % 13 } }));
    const compare = async (a: typeof lines, b: typeof lines) =>
      (await compareRuns(writeRun({ lines: a }), writeRun({ lines: b }))).metrics;
    expect(await compare(lines.toReversed(), other.toReversed())).toEqual(
      await compare(lines, other),
    );
  });

  it("compareRuns accounts for shared scenes in the interval and in the test", async () => {
    const inScenes = (value: (i: number) => number) =>
      writeRun({
        lines: numbered(40, (i) => ({ spl: value(i) })).map((line, i) => ({
          ...line,
          scene_id: `s${i % 10}`,
        })),
      });
    // The change depends on the scene alone.
    const { metrics } = await compareRuns(
      inScenes(() => 0),
      inScenes((i) => (i % 10) / 10),
    );
    expect(metrics[0]?.ci_method).toBe("cluster_t");
    const [low = 0, high = 0] = metrics[0]?.ci95 ?? [];
    // The standard error over ten scenes is 0.096; over forty independent episodes it would be 0.046.
    expect(high - low).toBeGreaterThan(0.3);
    // t = 0.45/0.0957 with nine degrees of freedom.
    expect(metrics[0]?.p).toBeCloseTo(0.00112, 4);
  });

  it("compareRuns uses an exact sign test when all episodes of an unbounded metric differ by the same amount", async () => {
    const run = (steps: number) =>
      writeRun({ lines: numbered(3, (i) => ({ path_length: i / 4 + steps })) });
    const [row] = (await compareRuns(run(0), run(1))).metrics;
    expect(row).toMatchObject({ test: "sign_exact", difference: 1, significant: false });
    expect(row?.ci95).toBeNull();
    expect(row?.p).toBeCloseTo(1 / 4, 12);
  });

  it("compareRuns reports no p-value for the mean of a single episode", async () => {
    const run = writeRun({ lines: ten([1], { 1: 4 }).slice(0, 1) });
    const { metrics } = await compareRuns(run, run);
    expect(metrics[1]).toMatchObject({ metric: "path_length", p: null, p_holm: null, ci95: null });
    expect(metrics[0]).toMatchObject({ metric: "success", p: 1 });
  });
});

describe("comparison notes", () => {
  it("the notes mention runs that stopped early", async () => {
    const early_stop = {
      vln: { metric: "success", half_width: 0.1, reached: true, counted: 3, of: 9 },
    };
    const a = writeRun({ lines: episodes(3, []), summary: { early_stop } });
    const { notes } = await compareRuns(a, writeRun({ lines: episodes(3, []) }));
    expect(notes).toEqual([expect.stringMatching(/^A stopped vln early, after 3 of 9 episodes/)]);
  });

  it("a partially scored run is marked, and the notes give its number of episodes", async () => {
    const partial = { scored: 2, of: 1021 };
    const [a, b] = [
      writeRun({ lines: ten([1]) }),
      writeRun({ lines: ten([1]), info: { partial } }),
    ];
    const comparison = await compareRuns(a, b);
    expect(comparison.notes).toContain(
      "B is partial: 2 of 1021 episodes were scored, and the others have no prediction",
    );
    expect(comparison.b.partial).toEqual(partial);
    expect(comparison.a).not.toHaveProperty("partial");
  });

  it("the notes list metrics that only one run has and that are not compared", async () => {
    const run = (name: string) =>
      writeRun({ lines: numbered(3, () => ({ success: 1, [name]: 2 })) });
    const { metrics, notes } = await compareRuns(run("spl"), run("ndtw"));
    expect(metrics.map((row) => row.metric)).toEqual(["success"]);
    expect(notes).toEqual(["only A has vln: spl", "only B has vln: ndtw"]);
  });
});
