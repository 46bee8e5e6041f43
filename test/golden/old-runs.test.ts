import { describe, expect, it } from "vitest";
import { replayRun } from "../../src/evaluator/check/replay/replay-run.js";
import { createRegistries } from "../../src/registry/registries.js";
import { compareRuns } from "../../src/runs/compare/compare.js";
import { scoreRun } from "../../src/runs/score/score-run.js";
import { RunLibrary } from "../../src/server/view/library.js";
import { linesOf, temporaryFolder } from "../support/cli.js";
import { ROOT } from "../support/manipulation.js";

// Runs of the last version whose trajectories have format 1, without facts: commit be657aeb. They are of another
// account, since they have no key. Their paths were made relative.
const FOLDER = `${ROOT}/test/golden/old-runs`;
const RUNS = [
  { name: "graph", episodes: 2, connectivity: `${ROOT}/data/graph_nav/connectivity` },
  { name: "navmesh", episodes: 1 },
  { name: "manipulation", episodes: 1 },
];

describe.each(RUNS)("a run of trajectory format 1 in old-runs/$name", (old) => {
  const path = `${FOLDER}/${old.name}`;
  const { connectivity } = old;

  it("a run of trajectory format 1 replays with equal states", async () => {
    expect(await replayRun(path, { connectivity, workers: 1 })).toMatchObject({
      ...{ replayed: old.episodes, equal: old.episodes },
      ...{ different: [], errors: [], skipped: [] },
    });
  });

  it("a run of trajectory format 1 has equal metrics when scored again, and no difference to its score when compared", async () => {
    const outDir = temporaryFolder();
    const registries = createRegistries();
    const { run_dir } = await scoreRun({ path, outDir, connectivity, registries });
    const scored = run_dir ?? "";
    const results = async (run: string) =>
      (await linesOf(run)).map(({ episode_key, outcome, metrics }) => ({
        ...{ episode_key, outcome, metrics },
      }));
    expect(await results(scored)).toEqual(await results(path));
    const { metrics } = await compareRuns(path, scored);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.every(({ difference }) => difference === 0)).toBe(true);
  });

  it("a run of trajectory format 1 is listed by the dashboard with its episodes and pictures", async () => {
    const library = await RunLibrary.open(FOLDER);
    try {
      const { runs } = await library.runs(false);
      const card = runs.find(({ id }) => id === old.name);
      expect(card).toMatchObject({ status: "done" });
      const page = await library.page(old.name, 0);
      expect(page.rows).toHaveLength(old.episodes);
      const { id } = page.rows[0] ?? { id: "" };
      expect(await library.thumbnail(old.name, id)).toContain("<svg");
    } finally {
      await library.close();
    }
  });
});

it("a run of trajectory format 1 on graphs is not replayed without its graphs", async () => {
  await expect(replayRun(`${FOLDER}/graph`)).rejects.toMatchObject({ code: "missing_graphs" });
});
