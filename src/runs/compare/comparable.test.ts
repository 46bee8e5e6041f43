import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DataDigest, EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { compareRuns } from "./compare.js";
import { episodes, writeRun } from "./run.fixture.js";

const digest = (sha256: string, count = 3): Record<string, DataDigest> => ({
  vln: { episodes: count, sha256 },
});

const run = (count: number, info: Partial<RunInfo> = {}) =>
  writeRun({ lines: episodes(count, [1]), info });

const hashed = (hashes: readonly (string | null)[], info: Partial<RunInfo> = {}) =>
  writeRun({
    info,
    lines: hashes.map((initial_state_hash, i) => ({
      episode_id: String(i + 1),
      initial_state_hash,
      metrics: { success: 1 },
    })),
  });

describe("compareRuns", () => {
  it("compareRuns compares runs with different perturbations, whose initial states differ on purpose", async () => {
    const evaluation = { perturbation: { axis: "object_pose", level: 1, settings: {} } };
    const perturbed = { config: { evaluation } };
    const a = hashed(["a", "b"], { data: digest("1", 2) });
    const b = hashed(["x", "y"], { data: digest("2", 2), ...perturbed });
    expect((await compareRuns(a, b)).episodes.compared).toBe(2);
    const other = hashed(["z", "y"], { data: digest("2", 2), ...perturbed });
    await expect(compareRuns(b, other)).rejects.toMatchObject({ code: "different_episodes" });
  });

  it("compareRuns rejects runs without a shared episode", async () => {
    const a = writeRun({ lines: [{ episode_id: "1" }] });
    const b = writeRun({ lines: [{ episode_id: "2" }] });
    await expect(compareRuns(a, b)).rejects.toMatchObject({
      code: "nothing_shared",
      exitCode: 2,
      hint: expect.stringContaining("same benchmark"),
    });
    const none = writeRun({ lines: [], info: { status: "running" } });
    await expect(compareRuns(a, none)).rejects.toMatchObject({
      code: "nothing_shared",
      hint: expect.stringContaining(`${none}/episodes.jsonl has no episodes yet`),
    });
  });

  it("compareRuns rejects runs with different metric profiles", async () => {
    const a = writeRun({ lines: [{ profile: "r2r" }] });
    const b = writeRun({ lines: [{ profile: "vlnce" }] });
    await expect(compareRuns(a, b)).rejects.toMatchObject({
      code: "different_profiles",
      message: expect.stringContaining("r2r and vlnce"),
      hint: expect.stringContaining(`score ${b} --profile r2r`),
    });
  });

  it("compareRuns rejects runs whose shared episodes have different initial states", async () => {
    const a = hashed(["a", "b", "c", "d", "e"]);
    await expect(compareRuns(a, hashed(["a", "x", "x", "x", "x"]))).rejects.toMatchObject({
      code: "different_episodes",
      message:
        "4 of the shared episodes have different initial states: vln/hall/2, vln/hall/3, vln/hall/4, and 1 more",
      hint: expect.stringContaining("the dataset, a scene, the robot"),
    });
    await expect(
      compareRuns(a, hashed(["x"], { seed: 7 }), { shared: true }),
    ).rejects.toMatchObject({
      code: "different_episodes",
      hint: expect.stringContaining("seeds differ, 0 and 7"),
    });
    const newer = hashed(["x"], { versions: { robot_eval: "9.0.0" } });
    await expect(compareRuns(a, newer)).rejects.toMatchObject({
      hint: expect.stringContaining("different versions of robot-eval, unknown and 9.0.0"),
    });
  });

  it("compareRuns rejects runs of different datasets with the same episode names", async () => {
    const a = run(3, { data: digest("aaaa") });
    const b = run(3, { data: digest("bbbb") });
    await expect(compareRuns(a, b, { shared: true })).rejects.toMatchObject({
      code: "different_data",
      where: expect.stringMatching(/aaaa in .*, bbbb in /),
    });
  });

  it("compareRuns rejects runs of different episodes unless only shared ones are compared", async () => {
    const [a, b] = [run(3), run(5)];
    await expect(compareRuns(a, b)).rejects.toMatchObject({
      code: "different_selections",
      message: `the runs have different episodes: 3 in both, 0 only in ${a}, 2 only in ${b}`,
      hint: expect.stringContaining("--shared"),
    });
    const { episodes: counts } = await compareRuns(a, b, { shared: true });
    expect(counts).toMatchObject({ shared: 3, only_a: 0, only_b: 2, compared: 3 });
  });

  it("compareRuns rejects a run that does not exist", async () => {
    const a = run(1);
    await expect(compareRuns(a, `${a}-none`)).rejects.toMatchObject({ code: "no_run" });
  });

  it("compareRuns accepts episodes without initial-state hashes, as after import or when they never began", async () => {
    const { episodes: counts } = await compareRuns(hashed(["a", null]), hashed([null, "b"]));
    expect(counts.compared).toBe(2);
  });

  it("compareRuns accepts different data digests when the selections differ", async () => {
    const [a, b] = [run(3, { data: digest("aaaa") }), run(5, { data: digest("bbbb", 5) })];
    expect((await compareRuns(a, b, { shared: true })).episodes.compared).toBe(3);
  });

  it.each(["running", "cancelled"] as const)(
    "compareRuns accepts a run with status %s and adds a note",
    async (status) => {
      const a = run(5, { data: digest("aaaa", 5) });
      const b = run(3, { data: digest("aaaa", 5), status });
      const { episodes: counts, notes } = await compareRuns(a, b);
      expect(counts).toMatchObject({ shared: 3, only_a: 2, only_b: 0 });
      expect(notes).toEqual([expect.stringMatching(/^B .*: 3 of its 5 episodes are there$/)]);
    },
  );

  it("compareRuns rejects an unfinished run with a different selection", async () => {
    const cut = { status: "running" } as const;
    const cases: [Partial<RunInfo>, Partial<RunInfo>][] = [
      [{ data: digest("aaaa", 5) }, { ...cut, data: digest("bbbb", 4) }],
      [{ selection: {} }, { ...cut, selection: { shard: "1/2" } }],
      [{ selection: {} }, { ...cut, selection: { limit: 4 } }],
    ];
    for (const [a, b] of cases) {
      await expect(compareRuns(run(5, a), run(3, b))).rejects.toMatchObject({
        code: "different_selections",
      });
    }
    // The finished run lacks episodes that the unfinished one has.
    await expect(compareRuns(run(3), run(5, cut))).rejects.toMatchObject({
      code: "different_selections",
    });
  });
});

describe("compareRuns with a damaged run", () => {
  it.each([
    [{ metrics: { success: "yes" } }, 'metrics.success: expected a number or null, got "yes"'],
    [{ profile: undefined }, "profile: missing"],
    [{ scene_id: 7 }, "scene_id: expected a string, got 7"],
  ])(
    "compareRuns rejects the line %j in episodes.jsonl and names the field",
    async (line, message) => {
      const b = writeRun({ lines: [line as unknown as Partial<EpisodeLine>] });
      await expect(compareRuns(run(1), b)).rejects.toMatchObject({
        code: "damaged_line",
        message: `not the result of an episode: ${message}`,
        where: `${b}/episodes.jsonl:1`,
      });
    },
  );

  it.each([
    [{ run_id: undefined }, "run_id: missing"],
    [{ seed: "1" }, 'seed: expected a whole number of at least 0, got "1"'],
  ])("compareRuns rejects %j in run.json and names the field", async (info, message) => {
    const b = writeRun({ lines: [{}], info: info as unknown as Partial<RunInfo> });
    await expect(compareRuns(run(1), b)).rejects.toMatchObject({
      code: "damaged_file",
      message,
      where: `${b}/run.json`,
    });
  });

  it("compareRuns rejects a finished run without summary.json", async () => {
    const b = run(1);
    rmSync(`${b}/summary.json`);
    await expect(compareRuns(run(1), b)).rejects.toMatchObject({
      code: "missing_file",
      message: expect.stringContaining("summary.json"),
    });
  });
});
