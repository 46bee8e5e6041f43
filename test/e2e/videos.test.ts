import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { canMakeMp4 } from "../../src/evaluator/record/video/mp4-film.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { linesOf, makeWorld, temporaryFolder, type World } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cli = join(root, "dist/cli/main.js");
const smoke = join(root, "configs/benchmarks/unified_smoke.yaml");
const hasFfmpeg = await canMakeMp4("ffmpeg");

/** Runs the command and reads its results. Without `ffmpeg`, PATH is an empty folder, so that WebP is written. */
async function run(
  args: readonly string[],
  { cwd = root, ffmpeg = false }: { readonly cwd?: string; readonly ffmpeg?: boolean } = {},
): Promise<{ results: RunResults; lines: EpisodeLine[]; stderr: string }> {
  const env = ffmpeg ? process.env : { ...process.env, PATH: temporaryFolder() };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args, "--json"], {
    cwd,
    env,
    maxBuffer: 2 ** 26,
  });
  const results = JSON.parse(stdout) as RunResults;
  return { results, stderr, lines: await linesOf(resolve(cwd, results.run_dir ?? "")) };
}

async function pagesOf(runDir: string | null, line: EpisodeLine | undefined): Promise<number> {
  const film = line && new RunDirectory(runDir ?? "").videoOf(line);
  const { format, pages = 0 } = await sharp(film ?? "").metadata();
  expect(format).toBe("webp");
  return pages;
}

function logOf(runDir: string): Record<string, unknown>[] {
  const text = readFileSync(join(runDir, "log.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.concurrent("videos of failures", () => {
  it("workers write videos of failed navigation and manipulation episodes only", async () => {
    const walkers = "vln=random,objectnav=shortest-path,image_nav=random";
    const agents = `${walkers},pick_place=random,stacking=random,opening=random`;
    const { results, lines, stderr } = await run([
      ...["run", smoke, "--agent", agents, "--first", "1", "--workers", "2"],
      ...["--filter", "task=vln|objectnav|pick_place"],
      ...["--set", "output.video=failures", "--set", "pick_place_task.config.max_steps=60"],
      ...["--out", temporaryFolder()],
    ]);
    const filmed = lines.filter(({ video }) => video !== undefined).map(({ task }) => task);
    expect(filmed.sort()).toEqual(["pick_place", "vln"]);
    expect(results.episodes).toMatchObject({ success: 1, failure: 2, invalid: 0 });
    const runDir = results.run_dir ?? "";
    const handled = lines.find(({ task }) => task === "pick_place");
    expect(handled?.video).toBe("videos/pick_place_tabletop_0.webp");
    expect(await pagesOf(runDir, handled)).toBe(31);
    const walked = lines.find(({ task }) => task === "vln");
    expect(await pagesOf(runDir, walked)).toBe((walked?.steps ?? 0) + 1);
    expect(readdirSync(join(runDir, "videos"))).toHaveLength(2);
    const listed = [...stderr.matchAll(/^film: (.*)$/gm)].map(([, file]) => file);
    expect(listed).toEqual(
      ["pick_place_tabletop_0.webp", "vln_apartment-100_1.webp"].map((name) =>
        join(runDir, "videos", name),
      ),
    );
  });

  it.runIf(hasFfmpeg)("videos are MP4 files if ffmpeg is installed", async () => {
    const { results, lines } = await run(
      [
        ...["run", smoke, "--agent", "forward", "--first", "1", "--workers", "1"],
        ...["--filter", "task=objectnav", "--set", "output.video=all", "--out", temporaryFolder()],
      ],
      { ffmpeg: true },
    );
    expect(lines[0]?.video).toBe("videos/objectnav_apartment-100_1.mp4");
    const bytes = readFileSync(join(results.run_dir ?? "", lines[0]?.video ?? ""));
    expect(bytes.subarray(4, 8).toString()).toBe("ftyp");
  });

  it.skipIf(hasFfmpeg)("MP4 videos are NOT TESTED, because ffmpeg is missing", () => {
    process.stderr.write("\nMP4 videos were NOT TESTED: there is no ffmpeg with libx264 here\n");
  });
});

/** A world whose camera fails in episodes 2 and 3 of the hall. Only the video recorder reads the camera. */
function withCamera(sensors = "rgb"): World {
  const world = makeWorld();
  world.write(
    "plugin.mjs",
    `class Camera {
       constructor({ task }) { this.actionSpace = task.actionSpace; }
       reset(episode) {
         this.episode = episode;
         this.steps = 0;
         return this.frame();
       }
       step() {
         this.steps++;
         return this.frame();
       }
       frame() {
         const { episode: { sceneId, episodeId }, steps } = this;
         return {
           observation: {
             get ${sensors}() {
               if (sceneId === "hall" && episodeId === "2") throw new Error("the lens is broken");
               if (sceneId === "hall" && episodeId === "3") process.exit(7);
               const data = new Uint8Array(64 * 48 * 3).fill(40 * steps);
               return ${sensors === "rgb" ? `{ kind: "rgb", width: 64, height: 48, data }` : "null"};
             },
           },
           state: { distance_to_goal: 4, steps },
         };
       }
       close() {}
     }
     export default ({ simulators }) => {
       simulators.register("camera", {
         description: "", families: ["navigation"], sensors: [], create: (options) => new Camera(options),
       });
     };`,
  );
  return world;
}

const RUN_CAMERA = [
  ...["run", "benchmark.yaml", "--set", "plugins=[./plugin.mjs]", "--agent", "random"],
  ...["--set", "simulator.backend=camera", "--set", "evaluation.max_steps=4", "--out", "out"],
  ...["--set", "vln_task.config.metrics=[success]", "--set", "output.video=all"],
];

describe.concurrent("an error while a video is made", () => {
  it("an error while a video is made does not affect the episode, even if the worker exits", async () => {
    const { root: cwd } = withCamera();
    const { results, lines } = await run([...RUN_CAMERA, "--workers", "2"], { cwd });
    expect(results.episodes).toMatchObject({ total: 6, failure: 6, invalid: 0 });
    const broken = ["vln/hall/2", "vln/hall/3"];
    for (const line of lines) {
      expect(line.video === undefined, line.episode_key).toBe(broken.includes(line.episode_key));
      expect(line.trajectory).not.toBeNull();
    }
    const log = logOf(join(cwd, results.run_dir ?? ""));
    const said = log.filter(({ event }) => event === "no_film");
    expect(said.map(({ episode_key }) => episode_key).sort()).toEqual(broken);
    expect(JSON.stringify(said)).toContain("the lens is broken");
    expect(JSON.stringify(said)).toContain("exited with code 7");
  });

  it("a run whose simulator has no camera warns once that it makes no videos", async () => {
    const { root: cwd } = withCamera("gps");
    const { results, lines } = await run([...RUN_CAMERA, "--filter", "scene=yard"], { cwd });
    expect(lines.map(({ video }) => video)).toEqual([undefined, undefined]);
    const { warnings } = await new RunDirectory(join(cwd, results.run_dir ?? "")).info();
    expect(warnings.filter((words) => words.includes("no films are made"))).toHaveLength(1);
    expect(existsSync(join(cwd, results.run_dir ?? "", "videos"))).toBe(false);
  });
});

describe("a resumed run with videos", () => {
  it("a resumed run with videos deletes partial videos of the killed process and makes the missing ones", async () => {
    const { root: cwd } = withCamera();
    const whole = await run([...RUN_CAMERA, "--filter", "scene=yard", "--workers", "1"], { cwd });
    const runDir = join(cwd, whole.results.run_dir ?? "");
    const [first = "", second = ""] = readFileSync(join(runDir, "episodes.jsonl"), "utf8").split(
      "\n",
    );
    const films = readdirSync(join(runDir, "videos")).sort();
    const lost = (JSON.parse(second) as EpisodeLine).video ?? "";
    const film = readFileSync(join(runDir, lost));
    writeFileSync(join(runDir, "episodes.jsonl"), `${first}\n`);
    rmSync(join(runDir, "summary.json"));
    rmSync(join(runDir, lost));
    writeFileSync(join(runDir, `${lost}.1234.tmp`), film.subarray(0, 100));
    const resumed = await run(["resume", whole.results.run_dir ?? ""], { cwd });
    expect(resumed.lines).toHaveLength(2);
    expect(resumed.lines.map(({ video }) => video)).toEqual(whole.lines.map(({ video }) => video));
    expect(readdirSync(join(runDir, "videos")).sort()).toEqual(films);
    expect(readFileSync(join(runDir, lost)).equals(film)).toBe(true);
  });
});
