import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  episodeLine,
  evaluate,
  makeWorld,
  temporaryFolder,
  type World,
} from "../../test/support/cli.js";
import { STRESS_FILE } from "../runs/stress/read-stress.js";
import { STRESS_REPORT } from "../runs/stress/stress.fixture.js";
import { type ExportOptions, exportView } from "./export.js";
import { page } from "./serve.fixture.js";

function exported(runs: string, more: Partial<ExportOptions> = {}) {
  const folder = join(temporaryFolder(), "pages");
  return exportView({ runs, folder, webRoot: page, episodes: "all", ...more });
}

describe("an export", () => {
  let world: World;
  let [good, bad] = ["", ""];

  beforeAll(async () => {
    world = makeWorld();
    good = basename((await evaluate(world)).run_dir ?? "");
    bad = basename((await evaluate(world, { agent: "random" })).run_dir ?? "");
  });

  it("an export contains the page and a file for every address", async () => {
    const { folder, runs, episodes, compared, skipped } = await exported(world.out);
    expect([runs.length, episodes, compared, skipped]).toEqual([2, 12, 2, []]);
    const names = readdirSync(folder, { recursive: true }).map(String);
    expect(names).toEqual(
      expect.arrayContaining([
        ...["index.html", "assets/main-1.js", "api/runs.json"],
        ...[`api/compare/${good}..${bad}.json`, `api/compare/${bad}..${good}.json`],
        ...[`api/runs/${good}/run.json`, `api/runs/${good}/episodes-0.json`],
        ...["json", "svg", "thumb.svg"].map(
          (ending) => `api/runs/${good}/episodes/vln_hall_1.${ending}`,
        ),
      ]),
    );
    const text = readFileSync(join(folder, `api/runs/${good}/episodes/vln_hall_1.json`), "utf8");
    const { scene } = JSON.parse(text);
    expect(existsSync(join(folder, `api/scenes/${scene}.glb`))).toBe(true);
  });

  it("the export of a stress test contains its report and compares the baseline with each level", async () => {
    const folder = temporaryFolder();
    for (const name of [good, bad]) {
      cpSync(join(world.out, name), join(folder, name), { recursive: true });
    }
    const [axis] = STRESS_REPORT.axes;
    const [level] = axis?.levels ?? [];
    const report = {
      ...STRESS_REPORT,
      baseline: { ...STRESS_REPORT.baseline, run: good },
      axes: [{ ...axis, levels: [{ ...level, run: bad }] }],
    };
    writeFileSync(join(folder, STRESS_FILE), JSON.stringify(report));
    const { folder: pages, compared } = await exported(folder);
    expect(compared).toBe(1);
    const [document, runs] = ["api/stress.json", "api/runs.json"].map((name) =>
      JSON.parse(readFileSync(join(pages, name), "utf8")),
    );
    expect(document).toEqual({
      report,
      ids: [{ key: "vln/hall/3", repeat: 0, id: "vln_hall_3" }],
    });
    expect(runs.stress).toBe(true);
    expect(existsSync(join(pages, `api/compare/${good}..${bad}.json`))).toBe(true);
  });

  it("an export can be limited to the failed episodes", async () => {
    const { folder, episodes } = await exported(join(world.out, good), { episodes: "failures" });
    expect(episodes).toBe(0);
    const rows = readFileSync(join(folder, `api/runs/${good}/episodes-0.json`), "utf8");
    expect(JSON.parse(rows).rows.length).toBe(6);
  });

  it("an export reports damaged parts and contains the rest", async () => {
    const { run_dir } = await evaluate(world);
    const broken = join(run_dir ?? "", "trajectories/vln_hall_1.jsonl.gz");
    writeFileSync(broken, "nonsense");
    const { folder, skipped } = await exported(run_dir ?? "");
    expect(skipped.map(({ what }) => what)).toEqual([
      expect.stringMatching(/episodes\/vln_hall_1\.json$/),
    ]);
    const id = basename(run_dir ?? "");
    expect(existsSync(join(folder, `api/runs/${id}/episodes/vln_hall_2.json`))).toBe(true);
  });

  it("an export rejects a huge run with a hint and writes nothing", async () => {
    const { run_dir } = await evaluate(world);
    const lines = Array.from({ length: 5000 }, (_, i) =>
      JSON.stringify(episodeLine({ episode_id: `more-${i}` })),
    );
    appendFileSync(join(run_dir ?? "", "episodes.jsonl"), `${lines.join("\n")}\n`);
    const folder = join(temporaryFolder(), "pages");
    await expect(exported(run_dir ?? "", { folder })).rejects.toMatchObject({
      code: "too_many_episodes",
      message: expect.stringContaining("5006 episodes"),
      hint: expect.stringContaining("--episodes failures"),
    });
    expect(existsSync(folder)).toBe(false);
  });

  it("an export does not overwrite files, and needs the built page", async () => {
    await expect(exported(world.out, { folder: world.root })).rejects.toMatchObject({
      code: "folder_in_use",
    });
    await expect(exported(world.out, { webRoot: temporaryFolder() })).rejects.toMatchObject({
      code: "no_page",
      hint: expect.stringContaining("npm run build"),
    });
  });

  it("an export is rejected for a folder without runs", async () => {
    await expect(exported(temporaryFolder())).rejects.toMatchObject({ code: "no_run" });
  });
});
