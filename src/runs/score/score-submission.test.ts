import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf, makeWorld, type Node, temporaryFolder } from "../../../test/support/cli.js";
import { createRegistries } from "../../registry/registries.js";
import { RunDirectory } from "../directory/run-directory.js";
import { readTrajectory } from "../directory/trajectory.js";
import { exportRun } from "../export/export.js";
import { githubSummary } from "../report/github.js";
import { headlineSection } from "../report/headline.js";
import { junitXml } from "../report/junit.js";
import { readReport } from "../report/read.js";
import { scoreRun } from "./score-run.js";
import { type ScoreSubmissionOptions, scoreSubmission } from "./score-submission.js";

const world = makeWorld();
const dataset = world.write("R2R_small.json", [
  {
    path_id: 7,
    scan: "hall",
    path: ["a", "b", "c", "d"],
    heading: 0,
    distance: 6,
    instructions: ["to the end", "to where it ends"],
  },
  { path_id: 8, scan: "yard", path: ["d", "c"], heading: 0, instructions: ["one step"] },
]);

const walks: Readonly<Record<string, readonly Node[]>> = {
  // Stops 2 m before the goal, within the success radius, after 4 of 6 m.
  "7_0": ["a", "b", "c"],
  // Passes within 2 m of the goal and returns to 4 m from it.
  "7_1": ["a", "b", "c", "b"],
  // Arrives after a detour of 6 m instead of 2 m.
  "8_0": ["d", "c", "b", "c"],
};

function submission(changes: Readonly<Record<string, readonly string[]>> = {}): string {
  const entries = Object.entries({ ...walks, ...changes }).map(([instr_id, nodes]) => ({
    instr_id,
    trajectory: nodes.map((node) => [node, 0, 0]),
  }));
  return world.write(`${Object.keys(changes).join("-") || "all"}.json`, entries);
}

function score(path: string, options: Partial<ScoreSubmissionOptions> = {}) {
  return scoreSubmission({
    path,
    dataset,
    connectivity: join(world.root, "episodes", "connectivity"),
    outDir: null,
    registries: createRegistries(),
    ...options,
  });
}

describe("a scored submission", async () => {
  const outDir = temporaryFolder();
  const results = await score(submission(), { outDir });

  it("a submission is scored with the metric profile of its format", () => {
    const means = Object.entries(results.aggregated_metrics).map(([name, { mean }]) => [
      name,
      mean,
    ]);
    expect(Object.fromEntries(means)).toMatchObject({
      success: 2 / 3,
      spl: (1 + 0 + 2 / 6) / 3,
      navigation_error: (2 + 4 + 0) / 3,
      oracle_success: 1,
      path_length: (4 + 6 + 6) / 3,
    });
    expect(results.profiles).toEqual({ vln: "r2r" });
    expect(results.episodes).toEqual({ total: 3, success: 2, failure: 1, invalid: 0 });
  });

  it("a scored submission becomes a run with trajectories", async () => {
    const lines = await linesOf(results.run_dir);
    expect(lines.map((line) => line.episode_key)).toEqual([
      "vln/hall/7_0",
      "vln/hall/7_1",
      "vln/yard/8_0",
    ]);
    const { records } = await readTrajectory(
      join(results.run_dir ?? "", lines[0]?.trajectory ?? ""),
    );
    expect(records.map((record) => record.action)).toEqual([null, "goto:b", "goto:c", "stop"]);
    expect(records.map((record) => record.state.distance_to_goal)).toEqual([6, 4, 2, 2]);
  });

  it("a scored submission explains each failure with its numbers", async () => {
    const [, failed] = await linesOf(results.run_dir);
    expect(failed?.explanation).toBe(
      "stopped 4.00 m from the goal, 1.00 m short (needs less than 3 m); it had passed the goal at 2.00 m in step 2 without stopping",
    );
  });

  it("a submission can be scored with another profile and other metrics", async () => {
    const strict = await score(submission(), { profile: "habitat", metrics: ["soft_spl"] });
    expect(strict.episodes).toMatchObject({ success: 1, failure: 2 });
    expect(Object.keys(strict.aggregated_metrics)).toEqual(["success", "soft_spl"]);
  });
});

describe("a partially scored submission", async () => {
  const path = world.write("partial.json", [{ instr_id: "7_0", trajectory: [["a", 0, 0]] }]);
  const results = await score(path, { partial: true, outDir: temporaryFolder() });
  const run = new RunDirectory(results.run_dir ?? "");

  it("a partially scored submission states how many of how many episodes were scored, in the result, run.json and summary.json", async () => {
    expect(results.partial).toEqual({ scored: 1, of: 3 });
    expect((await run.info()).partial).toEqual({ scored: 1, of: 3 });
    expect((await run.summary()).partial).toEqual({ scored: 1, of: 3 });
  });

  it("a partially scored submission remains partial when it is scored again", async () => {
    const again = await scoreRun({
      ...{ path: run.path, metrics: ["success"], outDir: temporaryFolder() },
      registries: createRegistries(),
      connectivity: join(world.root, "episodes", "connectivity"),
    });
    expect(again.partial).toEqual({ scored: 1, of: 3 });
    expect((await new RunDirectory(again.run_dir ?? "").info()).partial).toEqual({
      scored: 1,
      of: 3,
    });
  });

  it("a partially scored submission has reports that give the number of scored episodes", async () => {
    const report = await readReport(run);
    const github = await githubSummary(report, []);
    expect(github).toContain("1 of 3 episodes: 0 success, 1 failure, 0 invalid");
    expect(github).toContain(
      "> [!WARNING]\n> This score is partial: 1 of 3 episodes were scored. The others have no prediction and are in no number.",
    );
    const junit = await junitXml(report, []);
    expect(junit).toContain('<property name="partial.scored" value="1"/>');
    expect(junit).toContain('<property name="partial.of" value="3"/>');
    expect(headlineSection(report).text).toContain("1 <span>of 3</span>");
  });

  it("a partially scored submission is exported with a note, and not as a complete submission", async () => {
    const folder = temporaryFolder();
    const common = { path: run.path, registries: createRegistries() };
    const table = await exportRun({ ...common, to: "csv", out: join(folder, "rows.csv") });
    expect(table.notes).toEqual(["the run is partial: 1 of 3 episodes were scored"]);
    const options = { ...common, to: "r2r-ce", out: join(folder, "predictions.json") };
    await expect(exportRun(options)).rejects.toMatchObject({
      code: "incomplete_run",
      message: "1 of 3 episodes were scored, so the run has no predictions for the others",
    });
  });

  it("a complete submission scored with --partial is not marked as partial", async () => {
    const complete = await score(submission(), { partial: true, outDir: temporaryFolder() });
    expect(complete).not.toHaveProperty("partial");
    expect(await new RunDirectory(complete.run_dir ?? "").info()).not.toHaveProperty("partial");
  });
});

describe("an R2R path with four instructions", async () => {
  const four = world.write("R2R_four.json", [
    {
      ...{ path_id: 7, scan: "hall", path: ["a", "b", "c", "d"], heading: 0 },
      instructions: ["to the end", "to where it ends", "go on", "to d"],
    },
  ]);
  const entry = (i: number, ...nodes: readonly string[]) => ({
    instr_id: `7_${i}`,
    trajectory: nodes.map((node) => [node, 0, 0]),
  });
  const three = [entry(0, "a", "b", "c"), entry(1, "a"), entry(2, "a")];
  const complete = await score(world.write("three.json", three), {
    ...{ dataset: four, outDir: temporaryFolder() },
  });

  it("profile r2r scores the first three instructions of an R2R path and reports the fourth", async () => {
    const note =
      "profile r2r scores the first 3 instructions of a path, as the official R2R evaluator does; 1 episode is not scored: 7_3";
    expect(complete.episodes).toMatchObject({ total: 3, success: 1, failure: 2 });
    expect(complete.warnings).toEqual([note]);
    expect((await new RunDirectory(complete.run_dir ?? "").info()).warnings).toEqual([note]);
  });

  it("profile r2r ignores a prediction for the fourth instruction, even an invalid one", async () => {
    const path = world.write("four.json", [...three, entry(3, "d", "a")]);
    const { aggregated_metrics, episodes } = await score(path, { dataset: four });
    expect(episodes).toEqual(complete.episodes);
    expect(aggregated_metrics).toEqual(complete.aggregated_metrics);
  });

  it("another profile than r2r requires and scores all four instructions of an R2R path", async () => {
    const options = { dataset: four, profile: "habitat" };
    await expect(score(world.write("three.json", three), options)).rejects.toMatchObject({
      message: "1 of 4 episodes have no prediction: 7_3",
    });
    const all = world.write("four.json", [...three, entry(3, "a")]);
    expect(await score(all, options)).toMatchObject({ episodes: { total: 4 }, warnings: [] });
  });

  it("rescoring a run with profile r2r leaves the fourth instruction out", async () => {
    const all = world.write("four.json", [...three, entry(3, "a")]);
    const { run_dir } = await score(all, {
      ...{ dataset: four, profile: "habitat", metrics: ["success"], outDir: temporaryFolder() },
    });
    const rescored = await scoreRun({
      ...{ path: run_dir ?? "", profile: "r2r", outDir: null, registries: createRegistries() },
      connectivity: join(world.root, "episodes", "connectivity"),
    });
    expect(rescored).toMatchObject({
      episodes: { total: 3, success: 1 },
      warnings: [expect.stringContaining("1 episode is not scored: 7_3")],
    });
  });
});

describe("scoreSubmission with bad input", () => {
  async function failure(path: string, options: Partial<ScoreSubmissionOptions> = {}) {
    const outDir = temporaryFolder();
    const error = await score(path, { outDir, ...options }).catch((e: unknown) => e);
    expect(readdirSync(outDir)).toEqual([]);
    return error;
  }

  it.each([
    [
      "moves between unconnected nodes",
      "off_graph_step",
      { "8_0": ["d", "b"] },
      "no edge from d to b",
    ],
    ["visits an unknown node", "unknown_node", { "8_0": ["d", "q"] }, '"q"'],
    ["starts at the wrong node", "wrong_start", { "8_0": ["c", "d"] }, "starts at c"],
    ["has an empty path", "empty_trajectory", { "8_0": [] }, "episode 8_0"],
    ["contains an episode of another split", "unknown_episode", { "9_0": ["a"] }, "9_0"],
  ])("scoreSubmission rejects a submission that %s", async (_, code, changes, words) => {
    const path = submission(changes);
    const error = await failure(path);
    expect(error).toMatchObject({
      code,
      exitCode: 2,
      message: expect.stringContaining(words),
      where: expect.stringContaining(path),
      hint: expect.any(String),
    });
  });

  it("scoreSubmission rejects two predictions for one episode", async () => {
    const trajectory = [["a", 0, 0]];
    const path = world.write("twice.json", [
      { instr_id: "7_0", trajectory },
      { instr_id: "7_0", trajectory },
    ]);
    expect(await failure(path)).toMatchObject({ code: "duplicate_prediction" });
  });

  it("scoreSubmission rejects an unknown format", async () => {
    expect(await failure(submission(), { format: "r2rr" })).toMatchObject({
      code: "unknown_format",
      where: "--format",
      hint: expect.stringContaining("r2r"),
    });
  });

  it("scoreSubmission stops when interrupted", async () => {
    expect(await failure(submission(), { signal: AbortSignal.abort() })).toMatchObject({
      code: "interrupted",
    });
  });

  it("scoreSubmission rejects a missing prediction unless partial submissions are allowed", async () => {
    const trajectory = [["a", 0, 0]];
    const path = world.write("part.json", [{ instr_id: "7_0", trajectory }]);
    expect(await failure(path)).toMatchObject({
      code: "missing_predictions",
      message: expect.stringContaining("2 of 3"),
    });
    expect((await score(path, { partial: true })).episodes.total).toBe(1);
  });

  it("scoreSubmission with bad input says that a test split has no goals", async () => {
    const split = (...paths: readonly (readonly string[])[]) =>
      paths.map((path, i) => ({
        ...{ path_id: 7 + i, scan: "hall", path, heading: 0, instructions: ["go"] },
      }));
    const path = world.write("test-split.json", [{ instr_id: "7_0", trajectory: [["a", 0, 0]] }]);
    const test = world.write("R2R_test.json", split(["a"]));
    expect(await failure(path, { dataset: test })).toMatchObject({
      code: "no_goals",
      message:
        "none of the 1 episodes of the dataset has a goal: this is a test split, and its goals are not public",
      where: test,
      hint: expect.stringContaining("val_seen"),
    });
    const mixed = world.write("R2R_mixed.json", split(["a", "b"], ["b"]));
    expect(await failure(path, { dataset: mixed, partial: true })).toMatchObject({
      code: "no_goals",
      message:
        "1 of 2 episodes of the dataset have no goal, so they cannot be scored; the first is 8_0",
    });
  });

  it("scoreSubmission rejects a submission without any prediction", async () => {
    const path = world.write("none.json", []);
    expect(await failure(path, { partial: true })).toMatchObject({ exitCode: 2 });
  });

  it("scoreSubmission rejects a graph submission without the navigation graphs", async () => {
    expect(await failure(submission(), { connectivity: undefined })).toMatchObject({
      code: "missing_graphs",
      hint: expect.stringContaining("--connectivity"),
    });
  });
});
