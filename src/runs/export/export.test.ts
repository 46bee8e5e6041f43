import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { EXPORT_FORMATS, type ExportOptions } from "./export.js";
import { exported, makeRun, WALK } from "./run.fixture.js";

const one = await makeRun([{ records: WALK }]);

describe("exportRun", () => {
  it("exportRun writes the result atomically", async () => {
    const run = await makeRun([{ records: WALK }, { line: { episode_id: "2" }, records: WALK }]);
    truncateSync(join(run, "trajectories", "vln_hall_2.jsonl.gz"), 40);
    const folder = temporaryFolder();
    for (const { name: to } of EXPORT_FORMATS) {
      if (to === "csv" || to === "parquet" || to === "rxr") continue;
      const work = exported(run, { to, out: join(folder, "out") });
      await expect(work).rejects.toMatchObject({ code: "damaged_gzip" });
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it("exportRun does not modify the run", async () => {
    const before = readdirSync(one, { recursive: true });
    await exported(one, { to: "mcap" });
    expect(readdirSync(one, { recursive: true })).toEqual(before);
  });

  it("exportRun replaces an existing export only with force", async () => {
    const out = join(temporaryFolder(), "x.csv");
    writeFileSync(out, "mine");
    await expect(exported(one, { out })).rejects.toMatchObject({ code: "out_exists" });
    expect(readFileSync(out, "utf8")).toBe("mine");
    await exported(one, { out, force: true });
    expect(readFileSync(out, "utf8")).toContain("episode_key");
  });

  it.each(["mcap", "lerobot"])(
    "exportRun never replaces a folder that is not an export to %s",
    async (to) => {
      const out = temporaryFolder();
      writeFileSync(join(out, "thesis.tex"), "");
      const work = exported(one, { to, out, force: true });
      await expect(work).rejects.toMatchObject({ code: "out_is_foreign" });
      expect(existsSync(join(out, "thesis.tex"))).toBe(true);
    },
  );

  it("exportRun never replaces the run directory or a file in it", async () => {
    for (const out of [join(one, "episodes.jsonl"), one]) {
      const work = exported(one, { out, force: true });
      await expect(work).rejects.toMatchObject({ code: "out_in_run" });
    }
    const work = exported(one, { to: "mcap", out: dirname(one), force: true });
    await expect(work).rejects.toMatchObject({ code: "out_is_input" });
  });

  it("exportRun adds a note when the run is not done", async () => {
    const run = await makeRun([{}], { status: "running" });
    expect((await exported(run, {})).notes).toEqual([
      "the run is running, not done: only its episodes so far are exported",
    ]);
  });

  it("exportRun stops when aborted and leaves no file", async () => {
    const folder = temporaryFolder();
    const signal = AbortSignal.abort();
    const work = exported(one, { out: join(folder, "x.csv"), signal });
    await expect(work).rejects.toMatchObject({ code: "interrupted", exitCode: 130 });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("exportRun with bad input", () => {
  it.each<[string, Partial<ExportOptions>, object]>([
    [
      "an unknown format",
      { to: "csvv" },
      { code: "unknown_target", hint: expect.stringMatching(/did you mean "csv"\?.*mcap.*rxr/) },
    ],
    [
      "an option that the format does not use",
      { to: "csv", fps: 3 },
      { code: "unused_flag", where: "--fps" },
    ],
    ["--partial for a table", { to: "csv", partial: true }, { code: "unused_flag" }],
    ["--only for a submission", { to: "r2r-ce", only: "success" }, { code: "unused_flag" }],
    ["--repeat without --episode", { to: "mcap", repeat: 1 }, { code: "unused_flag" }],
    [
      "an unknown task",
      { task: "vlm" },
      { code: "unknown_task", hint: expect.stringContaining('"vln"') },
    ],
    ["an unknown episode", { to: "mcap", episode: "9" }, { code: "unknown_episode" }],
    [
      "a repeat that the run does not have",
      { to: "mcap", episode: "vln/hall/1", repeat: 4 },
      { code: "no_episodes", message: expect.stringContaining("repeat 4") },
    ],
    [
      "a selection by an outcome that no episode has",
      { only: "success" },
      { code: "no_episodes", message: "no episode of the run is a success" },
    ],
  ])("exportRun rejects %s", async (_, options, error) => {
    await expect(exported(one, options)).rejects.toMatchObject(error);
  });

  it("exportRun rejects a path without a run", async () => {
    await expect(exported(temporaryFolder(), {})).rejects.toMatchObject({ code: "missing_file" });
    await expect(exported(join(one, "x"), {})).rejects.toMatchObject({ code: "no_run" });
  });

  it("exportRun rejects a run without episodes", async () => {
    const run = await makeRun([]);
    for (const { name: to } of EXPORT_FORMATS) {
      await expect(exported(run, { to })).rejects.toMatchObject({ code: "no_episodes" });
    }
  });

  it("exportRun rejects a damaged line and names the file and line", async () => {
    const run = await makeRun([{}]);
    writeFileSync(join(run, "episodes.jsonl"), '{"episode_key":\n');
    await expect(exported(run, {})).rejects.toMatchObject({
      code: "damaged_line",
      where: expect.stringMatching(/episodes\.jsonl:1$/),
    });
  });

  it("exportRun rejects an output folder that is not writable", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(exported(one, { out: join(file, "x.csv") })).rejects.toMatchObject({
      code: "cannot_write",
    });
  });
});
