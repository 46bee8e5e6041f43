import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, makeWorld, robotEvalHere } from "../support/cli.js";
import { ROOT } from "../support/manipulation.js";
import { jsonFromPython, testPython } from "../support/python.js";

const BENCHMARK = join(ROOT, "configs/benchmarks/unified_smoke.yaml");

const python = testPython();

/** Follows `load_metadata` and `__getitem__` of lerobot 0.4.4. */
const READ_LEROBOT_3 = `
import json, pathlib, sys
import numpy as np, pandas as pd, pyarrow.parquet as pq

root = pathlib.Path(sys.argv[1])
info = json.loads((root / "meta/info.json").read_text())
tasks = pd.read_parquet(root / "meta/tasks.parquet")
stats = json.loads((root / "meta/stats.json").read_text())
episodes = pd.concat(pd.read_parquet(p) for p in sorted((root / "meta/episodes").glob("*/*.parquet")))
paths = [
    root / info["data_path"].format(chunk_index=e["data/chunk_index"], file_index=e["data/file_index"])
    for _, e in episodes.iterrows()
]
table = pq.read_table(sorted(set(paths))[0])
data = table.to_pandas()
assert list(data["index"]) == list(range(len(data)))
firsts = [data.iloc[start] for start in episodes["dataset_from_index"]]
assert [first["episode_index"] for first in firsts] == list(episodes["episode_index"])
names = [tasks.iloc[int(first["task_index"])].name for first in firsts]
assert [list(texts) for texts in episodes["tasks"]] == [[name] for name in names]
for name, feature in info["features"].items():
    own = episodes[f"stats/{name}/mean"].iloc[0]
    assert np.array(stats[name]["mean"]).shape == ((3, 1, 1) if feature["dtype"] == "image" else (feature["shape"][0],))
    if feature["dtype"] != "image":
        values = np.stack([np.atleast_1d(v) for v in data[name]]).astype(float)
        assert np.allclose(stats[name]["mean"], values.mean(axis=0), atol=1e-6), name
        assert np.allclose(stats[name]["std"], values.std(axis=0), atol=1e-6), name
        first = values[: int(episodes["length"].iloc[0])]
        assert np.allclose(list(own), first.mean(axis=0), atol=1e-6), name
        assert np.allclose(list(episodes[f"stats/{name}/q99"].iloc[0]), np.quantile(first, 0.99, axis=0), atol=1e-6)
images = [
    [name, str(table.schema.field(name).type), list(np.array(stats[name]["mean"]).shape),
     data[name][0]["bytes"].startswith(b"\\x89PNG")]
    for name, feature in info["features"].items() if feature["dtype"] == "image"
]
print(json.dumps({
    "version": info["codebase_version"],
    "lengths": episodes["length"].tolist(),
    "from": episodes["dataset_from_index"].tolist(),
    "to": episodes["dataset_to_index"].tolist(),
    "frames": len(data),
    "state": len(data["observation.state"][0]) if "observation.state" in data else 0,
    "tasks": names,
    "images": images,
}))
`;

describe.skipIf(!python)("a LeRobot 3.0 dataset read by pandas", () => {
  const world = makeWorld();

  it("an exported LeRobot 3.0 dataset is read by pandas as LeRobot reads it", async () => {
    const some = ["--filter", "task=pick_place", "--limit", "2"];
    const { stdout } = await robotEvalHere([
      "run",
      BENCHMARK,
      ...some,
      "--out",
      world.out,
      "--json",
    ]);
    const run = (JSON.parse(stdout) as RunResults).run_dir ?? "";
    const folder = join(world.root, "exported");
    const { code } = await robotEvalHere(["export", run, "--to", "lerobot", "--out", folder]);
    expect(code).toBe(0);
    const steps = (await linesOf(run)).map((line) => line.steps);
    const total = steps.reduce((sum, n) => sum + n, 0);
    expect(jsonFromPython(python, READ_LEROBOT_3, folder)).toEqual({
      version: "v3.0",
      lengths: steps,
      from: [0, steps[0]],
      to: [steps[0], total],
      frames: total,
      state: 7,
      // LeRobot takes the text of a frame from the index of the table of tasks.
      tasks: [expect.stringMatching(/\w/), expect.stringMatching(/\w/)],
      images: [],
    });
  });

  it("a collected LeRobot 3.0 dataset has images that the Hugging Face layout describes", async () => {
    const out = join(world.root, "collected");
    const { code, stderr } = await robotEvalHere([
      ...["collect", BENCHMARK, "--filter", "task=vln", "--agent", "shortest-path", "--limit", "2"],
      ...["--set", "simulator.sensors={rgb: {width: 16, height: 12}}", "--out", out],
    ]);
    expect(code, stderr).toBe(0);
    expect(jsonFromPython(python, READ_LEROBOT_3, out)).toMatchObject({
      version: "v3.0",
      images: [["observation.images.rgb", "struct<bytes: binary, path: string>", [3, 1, 1], true]],
    });
  });
});
