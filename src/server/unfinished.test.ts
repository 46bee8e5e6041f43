import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluate, makeWorld, type World } from "../../test/support/cli.js";
import type { RunInfo } from "../core/interfaces/result.js";
import { ConfidenceSequence } from "../stats/sequential.js";
import { documentAt, problemAt, serve } from "./serve.fixture.js";
import type { EpisodeDocument, RunDocument, RunsDocument } from "./view/documents.js";

/** Turns a finished run into an unfinished one. */
function unfinished(run: string, to: string, change: (info: RunInfo) => RunInfo): void {
  cpSync(run, to, { recursive: true });
  const path = join(to, "run.json");
  const info: RunInfo = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...change(info), status: "running", finished_at: null }));
}

function keepLines(run: string, keep: (line: string, i: number) => boolean): void {
  const path = join(run, "episodes.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.filter(keep).join("\n")}\n`);
}

describe("an unfinished run of another user", () => {
  let world: World;
  let run: string;
  let plugin: string;
  const isLoaded = () => existsSync(join(world.root, "loaded"));

  beforeAll(async () => {
    world = makeWorld();
    run = (await evaluate(world)).run_dir ?? "";
    plugin = world.write(
      "plugin.mjs",
      'import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("loaded", import.meta.url), "");\nexport default () => {};\n',
    );
    const withPlugin = (info: RunInfo) => ({
      ...info,
      config: { ...info.config, plugins: [plugin] },
    });
    unfinished(run, join(world.root, "mine/known"), withPlugin);
    unfinished(run, join(world.root, "mine/foreign"), (info) => ({
      ...withPlugin(info),
      config: {
        ...withPlugin(info).config,
        vln_task: { type: "vln", config: { metrics: ["success", "style"] } },
      },
    }));
  });

  it("an unfinished run of another user is shown without its plugins if they are not needed", async () => {
    const base = await serve(join(world.root, "mine"));
    const { runs } = await documentAt<RunsDocument>(`${base}/api/runs.json`);
    expect(runs.map(({ id, episodes }) => [id, episodes.total])).toEqual([["known", 6]]);
    const { info } = await documentAt<RunDocument>(`${base}/api/runs/known/run.json`);
    expect(info.config.plugins).toEqual([plugin]);
    const episode = await documentAt<EpisodeDocument>(
      `${base}/api/runs/known/episodes/vln_hall_1.json`,
    );
    // The graphs are only read if the reader names their folder.
    expect(episode.scene).toBeNull();
    const named = await serve(join(world.root, "mine"), {
      connectivity: join(world.root, "episodes/connectivity"),
    });
    const shown = await documentAt<EpisodeDocument>(
      `${named}/api/runs/known/episodes/vln_hall_1.json`,
    );
    expect(shown.scene).not.toBeNull();
    expect(isLoaded()).toBe(false);
  });

  it("an unfinished run of another user explains how to allow its plugins if they are needed", async () => {
    const base = await serve(join(world.root, "mine"));
    expect(await problemAt(`${base}/api/runs/foreign/run.json`)).toMatchObject({
      status: 422,
      code: "plugins_not_loaded",
      message: expect.stringContaining("plugin.mjs"),
      hint: expect.stringContaining("--plugins"),
    });
    expect(isLoaded()).toBe(false);
  });

  it("an unfinished run of another user loads its plugins if the reader names them", async () => {
    const own = await serve(join(world.root, "mine"), { plugins: true });
    await documentAt<RunsDocument>(`${own}/api/runs.json`);
    expect(isLoaded()).toBe(false);
    const base = await serve(join(world.root, "mine"), { plugins: [plugin] });
    const { runs } = await documentAt<RunsDocument>(`${base}/api/runs.json`);
    expect(runs.map(({ id }) => id)).toContain("known");
    expect(isLoaded()).toBe(true);
  });
});

describe("a running run with early stopping", () => {
  it("a running run with early stopping shows the anytime-valid interval of the gapless start of its order", async () => {
    const world = makeWorld();
    const set = ["evaluation.early_stop={half_width: 0.01, min_episodes: 5}"];
    const { run_dir } = await evaluate(world, { set });
    const [run, live] = [run_dir ?? "", join(world.root, "live")];
    unfinished(run, join(live, "four"), (info) => info);
    keepLines(join(live, "four"), (_, i) => i < 4);
    unfinished(run, join(live, "gap"), (info) => info);
    keepLines(join(live, "gap"), (_, i) => i !== 1);
    const base = await serve(live);

    const four = await documentAt<RunDocument>(`${base}/api/runs/four/run.json`);
    const sequence = new ConfidenceSequence("rate");
    for (let i = 0; i < 4; i++) sequence.add(1);
    expect(four.summary.early_stop?.vln).toEqual({
      ...{ metric: "success", half_width: 0.01, reached: false, counted: 4, of: 6 },
    });
    expect(four.summary.per_task.vln?.success).toMatchObject({
      ...{ mean: 1, count: 4, ci_method: "sequential", ci95: sequence.interval() },
    });
    expect(four.card.headlines[0]?.ci95).toEqual(sequence.interval());

    // A result after a gap is not counted yet.
    const gap = await documentAt<RunDocument>(`${base}/api/runs/gap/run.json`);
    expect(gap.summary.early_stop?.vln?.counted).toBe(1);
    expect(gap.summary.episodes.total).toBe(5);
  });
});
