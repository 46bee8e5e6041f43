import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getBounds } from "@gltf-transform/core";
import { beforeAll, describe, expect, it } from "vitest";
import { smallHome } from "../../../../test/support/small-home.js";
import { triangleCount } from "../../../../test/support/triangle-count.js";
import { BaseEpisode } from "../../../core/episode/base.js";
import { generateApartment } from "../../../simulator/scenes/apartment/apartment.js";
import { boundsOf } from "../../../simulator/scenes/geometry.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import {
  benchmarkFile,
  fileIn,
  lastingFolder,
  type Recorded,
  readGlb,
  record,
  recordWith,
  trianglesIn,
} from "./recorded.fixture.js";
import { sceneGlb } from "./scene-glb.js";

const folder = lastingFolder();

function glbOf({ run, info, line }: Recorded) {
  return sceneGlb(run, info, line);
}

describe("the geometry of an apartment", () => {
  let walk: Recorded;
  beforeAll(async () => {
    walk = await record(folder, "unified_smoke", "vln", { agent: "random" });
  });

  it("the geometry of an apartment contains all objects by name, with ceilings in their own category", async () => {
    const { name, bytes } = fileIn(await glbOf(walk));
    expect(name).toMatch(/^apartment-\d+-[0-9a-f]{16}$/);
    const model = generateApartment(Number(walk.line.scene_id.split("/")[1]));
    const document = await readGlb(bytes);
    const root = document.getRoot();
    const [scene] = root.listScenes();
    if (!scene) throw new Error("no scene");
    expect(scene.listChildren().map((node) => node.getName())).toEqual(
      model.instances.map((instance) => instance.name),
    );
    expect(trianglesIn(document)).toBe(triangleCount(model.parts));
    const [found, expected] = [getBounds(scene), boundsOf(model.parts)];
    for (const i of [0, 1, 2] as const) {
      expect(found.min[i]).toBeCloseTo(expected.min[i], 5);
      expect(found.max[i]).toBeCloseTo(expected.max[i], 5);
    }
    const ceilings = scene.listChildren().filter((n) => n.getExtras().category === "ceiling");
    expect(ceilings).toHaveLength(model.rooms.length);
    expect(root.listExtensionsRequired()).toEqual([]);
  });

  it("the geometry of an apartment has the same name in all runs of the scene", async () => {
    const other = await record(folder, "unified_smoke", "vln", { agent: "shortest-path" });
    expect(fileIn(await glbOf(other)).name).toBe(fileIn(await glbOf(walk)).name);
  });

  it("the geometry of an apartment needs no trajectory", async () => {
    const { run, info, line } = walk;
    const bare = await sceneGlb(run, info, { ...line, trajectory: null });
    expect(fileIn(bare).name).toBe(fileIn(await glbOf(walk)).name);
  });

  it("the geometry of an apartment does not read the other tasks of the benchmark", async () => {
    const { run, info, line } = walk;
    const config = { ...info.config, sick_task: { type: "nonsense" } };
    expect(await sceneGlb(run, { ...info, config }, line)).toHaveProperty("bytes");
  });

  it("the geometry of an apartment is rejected if the trajectory is damaged", async () => {
    const { run, info, line } = walk;
    writeFileSync(join(run.path, "cut.jsonl.gz"), "no gzip");
    await expect(sceneGlb(run, info, { ...line, trajectory: "cut.jsonl.gz" })).rejects.toThrow(
      "damaged",
    );
  });
});

describe("the geometry of a scene's file", () => {
  it("the geometry of a scene file is made from the file, and a note explains a missing or changed file", async () => {
    const file = join(folder, "home.glb");
    writeFileSync(file, await writeGlb(smallHome()));
    const config = {
      benchmark: { name: "Home" },
      vln_task: { type: "vln", config: { profile: "vlnce", metrics: ["success"] } },
      simulator: { backend: "navmesh", scenes: folder },
      dataset: { vln: { type: "vln", data_path: benchmarkFile("unified_smoke") } },
    };
    const episode = new BaseEpisode({
      episodeId: "1",
      taskType: "vln",
      sceneId: "home.glb",
      startState: { position: [2, 0, 3], rotation: [0, 0, 0, 1] },
      goals: { position: [6, 0, -2], radius: 3 },
    });
    const options = { agent: "random", outDir: folder, episodes: { vln: [episode] } };
    const home = await recordWith(config, options);
    const { name, bytes } = fileIn(await glbOf(home));
    expect(name).toMatch(/^home-glb-/);
    expect(trianglesIn(await readGlb(bytes))).toBe(triangleCount(smallHome().parts));

    writeFileSync(file, await writeGlb(smallHome("bed_1")));
    expect(await glbOf(home)).toEqual({ note: expect.stringContaining("another home.glb") });
    rmSync(file);
    expect(await glbOf(home)).toEqual({ note: expect.stringContaining("home.glb") });
  });
});

describe("the geometry of a navigation graph", () => {
  it("the geometry of a navigation graph has a node for each viewpoint and lines for the edges", async () => {
    const walk = await record(folder, "vln_graph", "vln", { agent: "shortest-path" });
    const document = await readGlb(fileIn(await glbOf(walk)).bytes);
    const nodes = document.getRoot().listNodes();
    const viewpoints = nodes.filter((node) => node.getExtras().category === "viewpoint");
    expect(viewpoints.length).toBeGreaterThan(10);
    const lines = nodes.find((node) => node.getName() === "edges")?.getMesh();
    const [edges] = lines?.listPrimitives() ?? [];
    expect(edges?.getMode()).toBe(1);
    expect(edges?.getAttribute("POSITION")?.getCount()).toBeGreaterThanOrEqual(viewpoints.length);
  });
});
