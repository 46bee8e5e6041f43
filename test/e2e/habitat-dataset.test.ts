import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf, robotEvalHere, temporaryFolder } from "../support/cli.js";
import { objOf, TWO_ROOMS } from "../support/obj-scene.js";

const CABINET = `<?xml version="1.0"?>
<robot name="fridge">
  <link name="body"><visual><origin xyz="0 0.9 0"/><geometry><box size="0.6 1.8 0.6"/></geometry></visual></link>
</robot>`;

/** A data set in Habitat's layout: a stage of two rooms, two chairs and a fridge. */
function habitatFolder(): string {
  const folder = temporaryFolder();
  const chair = objOf([
    [
      [-0.25, 0, -0.25],
      [0.25, 0.9, 0.25],
    ],
  ]);
  const placed = (name: string, x: number, z: number) => ({
    template_name: name,
    translation: [x, 0, z],
    translation_origin: "asset_local",
  });
  const files = {
    "home.scene_dataset_config.json": {
      stages: { paths: { ".json": ["stages"] } },
      objects: { paths: { ".json": ["objects"] } },
      articulated_objects: { paths: { ".urdf": ["urdf/*"] } },
      scene_instances: { paths: { ".json": ["scenes"] } },
    },
    "stages/flat.obj": objOf(TWO_ROOMS),
    "stages/flat.stage_config.json": {
      render_asset: "flat.obj",
      up: [0, 1, 0],
      front: [0, 0, -1],
    },
    "objects/chair.obj": chair,
    "objects/chair.object_config.json": { render_asset: "chair.obj" },
    "urdf/fridge/fridge.urdf": CABINET,
    "scenes/home.scene_instance.json": {
      stage_instance: { template_name: "flat" },
      object_instances: [placed("chair", -3, -2), placed("chair", 3, -2)],
      articulated_object_instances: [placed("fridge", 3, 2)],
    },
  };
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, "scene_datasets", "home", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

describe("objectnav on a data set in Habitat's layout", () => {
  it("generates episodes to placed and articulated objects, which the shortest path solves and replay repeats", async () => {
    const folder = habitatFolder();
    const at = (...path: string[]) => join(folder, ...path);
    const scene = at("scene_datasets", "home", "scenes", "home.scene_instance.json");
    const generated = await robotEvalHere([
      ...["generate", "--task", "objectnav", "--scenes", scene, "-n", "6"],
      ...["--categories", "chair,fridge", "--min-distance", "2", "--min-ratio", "1"],
      ...["--out", at("episodes.json")],
    ]);
    expect(generated.stderr, generated.stdout).toBe("");
    writeFileSync(
      at("benchmark.json"),
      JSON.stringify({
        benchmark: { name: "home" },
        find_task: { type: "objectnav" },
        dataset: { find: { type: "objectnav", data_path: at("episodes.json"), scenes: folder } },
        simulator: { sensors: { semantic: { width: 64, height: 48 }, gps: {}, compass: {} } },
        evaluation: { max_steps: 150, seed: 1 },
      }),
    );
    const run = at("runs", "one");
    const { code, stderr } = await robotEvalHere([
      ...[
        "run",
        at("benchmark.json"),
        "--agent",
        "shortest-path",
        "--out",
        at("runs"),
        "--run-id",
        "one",
      ],
    ]);
    expect(code, stderr).toBe(0);
    const lines = await linesOf(run);
    expect(lines.map(({ outcome }) => outcome)).toEqual(Array(6).fill("success"));
    const replayed = await robotEvalHere(["replay", run]);
    expect(replayed.stdout).toContain("6 equal to the last bit, 0 different");
  });
});
