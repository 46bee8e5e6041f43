import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { robotEvalHere, temporaryFolder } from "../../../../test/support/cli.js";
import { Encoders } from "../../record/video/choose-encoder.js";
import { type FilmOptions, filmRun } from "./film-run.js";

/** Films are WebP, whether ffmpeg is installed or not. */
const webp = (path: string, options: FilmOptions) =>
  filmRun(path, { ...options, encoders: new Encoders("/nowhere/ffmpeg") });

/** A failed navigation episode, a failed and a successful manipulation episode. */
let run = "";
beforeAll(async () => {
  const out = temporaryFolder();
  const agents = "vln=forward,pick_place=random,opening=expert";
  const { code, stderr } = await robotEvalHere([
    ...[
      "run",
      "unified_smoke",
      "--agent",
      `${agents},objectnav=random,image_nav=random,stacking=random`,
    ],
    ...["--first", "1", "--filter", "task=vln|pick_place|opening", "--workers", "1", "--out", out],
    ...["--run-id", "run", "--set", "pick_place_task.config.max_steps=12"],
    ...["--set", "vln_task.config.max_steps=8"],
  ]);
  expect(code, stderr).toBe(0);
  run = join(out, "run");
}, 60_000);

const sizeOf = async (file: string) => {
  const { width = 0, pages = 0 } = await sharp(file).metadata();
  return { width, pages };
};

describe("films of a recorded run", () => {
  it("films of a recorded run are made of failures, named after task, episode and outcome", async () => {
    const lines = readFileSync(join(run, "episodes.jsonl"), "utf8");
    const { films, skipped } = await webp(run, { failures: true });
    expect(films.map(({ file }) => file)).toEqual(
      ["vln_apartment-100_1_failure.webp", "pick_place_tabletop_0_failure.webp"].map((name) =>
        join(run, "films", name),
      ),
    );
    expect(skipped).toEqual([]);
    expect((await sizeOf(films[0]?.file ?? "")).pages).toBe(9);
    expect(readdirSync(join(run, "films"))).toHaveLength(2);
    // The run itself stays as it was.
    expect(readFileSync(join(run, "episodes.jsonl"), "utf8")).toBe(lines);
    expect(existsSync(join(run, "videos"))).toBe(false);
  });

  it("films of a recorded run show the cameras that are asked for, of the tasks that have them", async () => {
    const out = temporaryFolder();
    const { films, skipped } = await webp(run, { failures: true, cameras: ["rgb_wrist"], out });
    expect(films.map(({ episode_key }) => episode_key)).toEqual(["pick_place/tabletop/0"]);
    expect((await sizeOf(films[0]?.file ?? "")).width).toBe(320);
    expect(skipped).toEqual([
      {
        episode_key: "vln/apartment/100/1",
        repeat: 0,
        why: "vln has none of the cameras rgb_wrist",
      },
    ]);
    const map = await webp(run, { episode: "vln/apartment/100/1", cameras: ["map"], out });
    const both = await webp(run, { episode: "vln/apartment/100/1", out: join(out, "both") });
    const width = async ({ films: [film] }: typeof map) => (await sizeOf(film?.file ?? "")).width;
    expect(await width(both)).toBeGreaterThan((await width(map)) + 200);
  });

  it("films of a recorded run reject unknown cameras, too many of them, and episodes that are not there", async () => {
    const code = (name: string) => expect.objectContaining({ code: name });
    await expect(webp(run, { cameras: ["rgb_wrst"] })).rejects.toEqual(code("unknown_camera"));
    const many = ["rgb", "rgb_head", "rgb_wrist", "eye"];
    await expect(webp(run, { cameras: many })).rejects.toEqual(code("too_many_cameras"));
    await expect(webp(run, { episode: "7" })).rejects.toEqual(code("unknown_episode"));
    await expect(webp(run, { episode: "opening/cabinet/0", failures: true })).rejects.toEqual(
      code("no_episodes"),
    );
  });

  it("films of a recorded run are not made of a damaged trajectory", async () => {
    const copy = join(temporaryFolder(), "run");
    cpSync(run, copy, { recursive: true });
    const other = join(copy, "trajectories/vln_apartment-100_1.jsonl.gz");
    writeFileSync(other, "hello");
    await expect(webp(copy, { episode: "vln/apartment/100/1" })).rejects.toMatchObject({
      message: expect.stringContaining("the gzip file is damaged or cut off"),
    });
  });

  it.skipIf(process.platform === "win32")(
    "films of a recorded run are not written through a symbolic link",
    async () => {
      const copy = join(temporaryFolder(), "run");
      cpSync(run, copy, { recursive: true, filter: (from) => !from.endsWith("films") });
      const outside = temporaryFolder();
      symlinkSync(outside, join(copy, "films"));
      await expect(webp(copy, { failures: true })).rejects.toMatchObject({ code: "not_plain" });
      expect(readdirSync(outside)).toEqual([]);
    },
  );
});
