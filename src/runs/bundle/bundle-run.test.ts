import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundled, partsOf } from "../../../test/support/bundle.js";
import {
  episodeDict,
  evaluate,
  linesOf,
  makeWorld,
  temporaryFolder,
} from "../../../test/support/cli.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { createRegistries } from "../../registry/registries.js";
import { versions } from "../directory/versions.js";
import { scoreRun } from "../score/score-run.js";
import { writeArchive } from "./write-archive.js";

async function runOf(options: Parameters<typeof evaluate>[1] = {}, episodes?: readonly object[]) {
  const world = makeWorld(episodes);
  const { run_dir } = await evaluate(world, options);
  return { world, path: run_dir ?? "" };
}

function changeInfo(path: string, change: Partial<RunInfo>): void {
  const file = join(path, "run.json");
  const info = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...info, ...change }));
}

describe("bundleRun", () => {
  it("bundleRun writes a manifest, the run and its scenes", async () => {
    const { path } = await runOf({ agent: "random" });
    const { file, manifest } = await bundled(path);
    const info: RunInfo = JSON.parse(readFileSync(join(path, "run.json"), "utf8"));
    expect(manifest).toMatchObject({
      format: "robot-eval-bundle/1",
      run_id: info.run_id,
      benchmark: { name: "small world", sha256: info.benchmark.sha256 },
      agent: "random",
      versions: versions(),
      plugins: [],
      data: info.data,
      places: { vln: { connectivity: "graphs/1" } },
      scenes: [
        { task: "vln", scene_id: "hall", source: "files" },
        { task: "vln", scene_id: "yard", source: "files" },
      ],
    });
    const parts = await partsOf(file);
    expect(parts.map(({ name }) => name)).toEqual([
      "manifest.json",
      ...["run.json", "benchmark.yaml", "episodes.jsonl", "summary.json", "log.jsonl"].map(
        (name) => `run/${name}`,
      ),
      ...(await linesOf(path)).map(({ trajectory }) => `run/${trajectory}`),
      "graphs/1/hall_connectivity.json",
      "graphs/1/yard_connectivity.json",
    ]);
    expect(JSON.parse(parts[0]?.bytes.toString() ?? "")).toEqual(manifest);
  });

  it("bundleRun writes identical bytes for the same run", async () => {
    const { path } = await runOf();
    const [a, b] = [await bundled(path), await bundled(path)];
    expect(readFileSync(a.file).equals(readFileSync(b.file))).toBe(true);
  });

  it("bundleRun includes videos only on request", async () => {
    const { path } = await runOf();
    const lines = (await linesOf(path)).map((line, i) =>
      i === 0 ? { ...line, video: "videos/one.webp" } : line,
    );
    writeFileSync(
      join(path, "episodes.jsonl"),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    mkdirSync(join(path, "videos"));
    writeFileSync(join(path, "videos/one.webp"), "RIFF");
    const films = async (videos: boolean) =>
      (await bundled(path, { videos })).manifest.files.filter(({ path }) => path.includes("video"));
    expect(await films(false)).toEqual([]);
    expect(await films(true)).toMatchObject([{ path: "run/videos/one.webp", bytes: 4 }]);
  });

  it("bundleRun omits the scenes of invalid episodes without a trajectory", async () => {
    const episodes = [episodeDict("1", "a", "d"), episodeDict("2", "a", "x", "yard")];
    const { path } = await runOf({}, episodes);
    expect((await linesOf(path)).map(({ outcome }) => outcome).sort()).toEqual([
      "invalid",
      "success",
    ]);
    const { manifest } = await bundled(path);
    expect(manifest.scenes.map(({ scene_id }) => scene_id)).toEqual(["hall"]);
  });
});

describe("bundleRun with bad input", () => {
  it("bundleRun rejects an unfinished run", async () => {
    const { path } = await runOf();
    changeInfo(path, { status: "running" });
    await expect(bundled(path)).rejects.toMatchObject({
      ...{ code: "not_bundled", where: path },
      hint: `robot-eval resume ${path}`,
    });
  });

  it("bundleRun rejects a scored run", async () => {
    const { world, path } = await runOf();
    const registries = createRegistries();
    const { run_dir } = await scoreRun({ path, outDir: world.out, registries });
    await expect(bundled(run_dir ?? "")).rejects.toMatchObject({ code: "not_bundled" });
  });

  it("bundleRun rejects a run without trajectories", async () => {
    const { path } = await runOf({ set: ["output.save_trajectories=false"] });
    await expect(bundled(path)).rejects.toMatchObject({
      code: "no_trajectory",
      hint: expect.stringContaining("save_trajectories"),
    });
  });

  it("bundleRun rejects a run without valid episodes", async () => {
    const { path } = await runOf({}, [episodeDict("1", "a", "x")]);
    await expect(bundled(path)).rejects.toMatchObject({ code: "nothing_to_check" });
  });

  it("bundleRun rejects a run with a missing file", async () => {
    const { path } = await runOf();
    rmSync(join(path, "summary.json"));
    await expect(bundled(path)).rejects.toMatchObject({
      ...{ code: "missing_file", where: join(path, "summary.json") },
    });
  });

  it("bundleRun rejects a run that refers to a file outside its directory", async () => {
    const { path } = await runOf();
    const [line] = await linesOf(path);
    const stray = { ...line, trajectory: "../../secret.jsonl.gz" };
    writeFileSync(join(path, "episodes.jsonl"), `${JSON.stringify(stray)}\n`);
    await expect(bundled(path)).rejects.toMatchObject({ code: "damaged_line" });
  });

  it("bundleRun rejects a run with a missing scene unless scenes are excluded", async () => {
    const { world, path } = await runOf();
    rmSync(join(world.root, "episodes/connectivity/yard_connectivity.json"));
    await expect(bundled(path)).rejects.toMatchObject({
      code: "missing_scene",
      message: expect.stringContaining("yard"),
      hint: expect.stringContaining("--no-scenes"),
    });
    const { manifest } = await bundled(path, { scenes: false });
    expect(manifest.scenes.map(({ left_out }) => left_out)).toEqual([
      "on request",
      "the navigation graph does not exist",
    ]);
  });

  it("bundleRun rejects an output path that exists, or whose folder does not exist", async () => {
    const { path } = await runOf();
    const { file } = await bundled(path);
    const before = readFileSync(file);
    await expect(bundled(path, { out: file })).rejects.toMatchObject({ code: "exists" });
    expect(readFileSync(file).equals(before)).toBe(true);
    const out = join(temporaryFolder(), "no", "folder.tgz");
    await expect(bundled(path, { out })).rejects.toMatchObject({
      ...{ code: "cannot_write", where: out },
    });
  });

  it("bundleRun with bad input leaves no file when aborted", async () => {
    const { path } = await runOf();
    const folder = temporaryFolder();
    const out = join(folder, "x.tgz");
    const signal = AbortSignal.abort();
    await expect(bundled(path, { out, signal })).rejects.toMatchObject({ exitCode: 130 });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("writeArchive", () => {
  it("writeArchive rejects a file that changes while it is being archived", async () => {
    const folder = temporaryFolder();
    const [from, out] = [join(folder, "a"), join(folder, "a.tgz")];
    writeFileSync(from, "original");
    const entry = { path: "a", from, size: 9, sha256: "0".repeat(64) };
    await expect(writeArchive(out, [entry])).rejects.toMatchObject({ code: "file_changed" });
    appendFileSync(from, " and more");
    await expect(writeArchive(join(folder, "b.tgz"), [entry])).rejects.toThrow();
  });

  it("writeArchive does not overwrite an existing file", async () => {
    const out = join(temporaryFolder(), "a.tgz");
    writeFileSync(out, "mine");
    await expect(writeArchive(out, [])).rejects.toThrow("EEXIST");
    expect(readFileSync(out, "utf8")).toBe("mine");
    expect(existsSync(out)).toBe(true);
  });
});
