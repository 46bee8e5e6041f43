import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { bundled, forged } from "../../../../test/support/bundle.js";
import { evaluate, makeWorld, temporaryFolder, type World } from "../../../../test/support/cli.js";
import { objOf, TWO_ROOMS } from "../../../../test/support/obj-scene.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { writeWorkshop } from "../../../simulator/manipulation/foreign.fixture.js";
import { SceneLibrary } from "../../../simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../../../simulator/navmesh/settings.js";
import { floorDocument, glb } from "../../../simulator/scenes/scene-files.fixture.js";
import { verifyBundle } from "../verify-bundle.js";
import type { VerifyReport } from "./documents.js";

function walk(id: string, scene_id: string, start: Vec3 = [-2, 0, 0], goal: Vec3 = [-2, 0, 2]) {
  return {
    ...{ episode_id: id, task_type: "vln", scene_id, instruction: { text: "go" } },
    start_state: { position: start, rotation: [0, 0, 0, 1] },
    goals: { position: goal },
  };
}

interface Sections {
  readonly dataset?: object;
  readonly simulator?: object;
}

/** A world with scenes of files, and a benchmark over them. */
async function sceneWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  episodes: readonly object[],
  { dataset = { scenes: "scenes" }, simulator = {} }: Sections = {},
): Promise<World> {
  const world = makeWorld();
  for (const [name, content] of Object.entries(files)) world.write(name, content);
  world.write("nav/vln.json", { format: "robot-eval-episodes/1", episodes });
  const metrics = ["success", "spl", "ndtw"];
  world.write(
    "benchmark.yaml",
    stringify({
      benchmark: { name: "scenes of files" },
      vln_task: { type: "vln", config: { profile: "vlnce", metrics } },
      dataset: { vln: { type: "vln", data_path: "nav/vln.json", ...dataset } },
      simulator,
      evaluation: { max_steps: 30 },
    }),
  );
  return world;
}

const statuses = ({ checks }: VerifyReport) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));

/** Runs, bundles, takes the originals away and checks what is left. */
async function roundTrip(world: World, options: Parameters<typeof evaluate>[1] = {}) {
  const { run_dir, episodes } = await evaluate(world, options);
  expect(episodes.invalid).toBe(0);
  const { file, manifest } = await bundled(run_dir ?? "");
  rmSync(world.root, { recursive: true });
  const report = await verifyBundle(file);
  expect(report.verified, JSON.stringify(report.checks, null, 1)).toBe(true);
  expect(statuses(report)).toMatchObject({ scenes: "ok", replay: "ok", numbers: "ok", data: "ok" });
  return manifest;
}

const paths = ({ files }: { readonly files: readonly { readonly path: string }[] }) =>
  files.map(({ path }) => path).filter((path) => !path.startsWith("run/"));

const rooms = objOf(TWO_ROOMS);

describe("a bundle", () => {
  it("a bundle includes the navmesh, materials and textures of a mesh", async () => {
    const world = await sceneWorld(
      {
        "scenes/house/rooms.obj": `mtllib ../look/rooms.mtl\nusemtl wall\n${rooms}`,
        "scenes/look/rooms.mtl": "newmtl wall\nKd 0.5 0.5 0.5\n",
      },
      [walk("1", "house/rooms.obj")],
    );
    const source = { locate: async (id: string) => join(world.root, "scenes", id) };
    const scene = await new SceneLibrary().scene("house/rooms.obj", source, HABITAT_NAVMESH);
    world.write("scenes/house/rooms.navmesh", scene.navMesh.save());
    scene.release();
    const manifest = await roundTrip(world);
    expect(paths(manifest)).toEqual([
      "scenes/1/scenes/house/rooms.obj",
      "scenes/1/scenes/look/rooms.mtl",
      "scenes/1/scenes/house/rooms.navmesh",
    ]);
    expect(manifest.places).toEqual({ vln: { scenes: "scenes/1/scenes" } });
    expect(manifest.scenes).toMatchObject([{ task: "vln", scene_id: "house/rooms.obj" }]);
  });

  it("a bundle includes the parent folder name and the stage config that define the up axis", async () => {
    const floor = floorDocument(8);
    // z is up in scans.
    floor.getRoot().listNodes()[0]?.setRotation([Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    const [scan, upright] = [await glb(floor), await glb(floorDocument(8))];
    const manifest = await roundTrip(
      await sceneWorld(
        {
          "gibson/v1/scans/a/a.glb": scan,
          "gibson/v1/scans/b/b.glb": upright,
          "gibson/v1/scans/b/b.stage_config.json": '{"up": [0, 1, 0], "front": [0, 0, -1]}',
        },
        [walk("1", "a/a.glb"), walk("2", "b/b.glb")],
        { dataset: { scenes: "gibson/v1/scans" } },
      ),
    );
    expect(paths(manifest)).toEqual([
      "scenes/1/gibson/v1/scans/a/a.glb",
      "scenes/1/gibson/v1/scans/b/b.glb",
      "scenes/1/gibson/v1/scans/b/b.stage_config.json",
    ]);
  });

  it("a bundle includes the parts of a scene instance and the files that locate them", async () => {
    const manifest = await roundTrip(
      await sceneWorld(
        {
          "cad/configs/stages/s.stage_config.json": '{"render_asset": "../../shells/s.glb"}',
          "cad/shells/s.glb": await glb(floorDocument(8)),
          "cad/objects/a/aa.object_config.json": '{"render_asset": "../../meshes/thing.glb"}',
          "cad/meshes/thing.glb": await glb(floorDocument(1)),
          "cad/semantics/objects.csv": "id,main_category\naa,couch\n",
          "cad/cad.scene_dataset_config.json":
            '{"stages": {"default_attributes": {"up": [0, 1, 0], "front": [0, 0, -1]}}}',
          "cad/scenes/s1.scene_instance.json": JSON.stringify({
            stage_instance: { template_name: "s" },
            object_instances: [{ template_name: "aa", translation: [3, 0, 3] }],
          }),
        },
        [walk("1", "s1.scene_instance.json")],
        { dataset: { scenes: "cad/scenes" } },
      ),
    );
    expect(paths(manifest)).toHaveLength(7);
    expect(manifest.places).toEqual({ vln: { scenes: "scenes/1/scenes" } });
  });

  it("a bundle includes scenes that are found by id", async () => {
    const elsewhere = join(temporaryFolder(), "deep", "down");
    mkdirSync(elsewhere, { recursive: true });
    const world = await sceneWorld({ "scenes/rooms.obj": rooms }, []);
    const id = join(elsewhere, "rooms.obj");
    cpSync(join(world.root, "scenes/rooms.obj"), id);
    const episodes = [walk("1", id), walk("2", "data/scene_datasets/rooms.obj")];
    world.write("nav/vln.json", { format: "robot-eval-episodes/1", episodes });
    const { run_dir } = await evaluate(world);
    const { file, manifest } = await bundled(run_dir ?? "");
    rmSync(world.root, { recursive: true });
    rmSync(elsewhere, { recursive: true });
    expect(paths(manifest)).toEqual([`scenes/1/scenes${id}`, "scenes/1/scenes/rooms.obj"]);
    expect((await verifyBundle(file)).verified).toBe(true);
  });

  it("a bundle includes graphs of one task and meshes of another with equal scene names", async () => {
    const world = await sceneWorld({ "scenes/rooms.obj": rooms, "more/rooms.obj": rooms }, [
      walk("1", "rooms.obj"),
    ]);
    appendFileSync(
      join(world.root, "more/rooms.obj"),
      objOf([
        [
          [3, 0, 2],
          [3.5, 1, 2.5],
        ],
      ]),
    );
    world.write(
      "benchmark.yaml",
      `benchmark: { name: mixed }
vln_task: { type: vln, config: { profile: r2r, metrics: [success, spl] } }
first_task: { type: vln, config: { profile: habitat, metrics: [success, spl] } }
second_task: { type: vln, config: { profile: habitat, metrics: [success, spl] } }
home_task: { type: vln, config: { profile: habitat, metrics: [success] } }
dataset:
  vln: { type: vln, data_path: episodes/vln.json }
  first: { type: vln, data_path: nav/vln.json, scenes: scenes }
  second: { type: vln, data_path: nav/vln.json, scenes: more }
  home: { type: vln, data_path: home/vln.json }
evaluation: { max_steps: 30 }
`,
    );
    const home = [walk("1", "apartment/7", [0, 0, 0], [0, 0, 1])];
    world.write("home/vln.json", { format: "robot-eval-episodes/1", episodes: home });
    const { run_dir } = await evaluate(world, { filter: "task=vln|first|second" });
    const { file, manifest } = await bundled(run_dir ?? "");
    rmSync(world.root, { recursive: true });
    expect(manifest.places).toEqual({
      vln: { connectivity: "graphs/1" },
      first: { scenes: "scenes/1/scenes" },
      second: { scenes: "scenes/2/more" },
    });
    const report = await verifyBundle(file);
    expect(report.verified, JSON.stringify(report.checks)).toBe(true);
  });

  it("a bundle includes both mesh and graph if a task uses both", async () => {
    const world = await sceneWorld({ "scenes/hall.obj": rooms }, [walk("1", "hall.obj")], {
      dataset: { scenes: "scenes", connectivity: "episodes/connectivity" },
      simulator: { backend: "navmesh" },
    });
    const { run_dir } = await evaluate(world);
    const { manifest } = await bundled(run_dir ?? "");
    expect(paths(manifest)).toEqual([
      "scenes/1/scenes/hall.obj",
      "graphs/1/hall_connectivity.json",
    ]);
  });

  it("a bundle names generated scenes, which need no files", async () => {
    const yaml = fileURLToPath(
      new URL("../../../../configs/benchmarks/vln_challenge.yaml", import.meta.url),
    );
    const set = ["evaluation.max_steps=5"];
    const { run_dir } = await evaluate({ ...makeWorld(), yaml }, { limit: 1, set });
    const { file, manifest } = await bundled(run_dir ?? "", { scenes: false });
    expect(manifest.scenes).toMatchObject([{ source: "generated", files: [] }]);
    const { checks } = await verifyBundle(file);
    expect(checks.find(({ name }) => name === "scenes")).toMatchObject({
      ...{ status: "ok", text: "1 generated from their ids" },
    });
    const lost = await forged(file, (_, { scenes }) => {
      for (const scene of scenes) scene.source = "files";
    });
    const { checks: others } = await verifyBundle(lost);
    expect(others.find(({ name }) => name === "scenes")).toMatchObject({
      ...{ status: "unknown", text: "1 without any information in the bundle" },
    });
  });

  it("a bundle includes an MJCF file with its meshes, textures and includes outside the named folder", async () => {
    const example = fileURLToPath(new URL("../../../../examples/robot/", import.meta.url));
    const world = makeWorld();
    cpSync(example, world.root, { recursive: true });
    await writeWorkshop(join(world.root, "shop"));
    const yaml = join(world.root, "benchmark.yaml");
    const set = ["dataset.pick_place.scenes=shop/scenes", "evaluation.max_steps=40"];
    const { run_dir } = await evaluate({ ...world, yaml }, { agent: "driver", set });
    const { file, manifest } = await bundled(run_dir ?? "");
    // The agent's plugin is of no use to a replay; the robot's is.
    const robot = join(temporaryFolder(), "crane.mjs");
    cpSync(join(example, "crane.js"), robot);
    rmSync(world.root, { recursive: true });
    expect(paths(manifest).sort()).toEqual([
      "scenes/1/meshes/crate.obj",
      "scenes/1/meshes/spike.stl",
      "scenes/1/pictures/tiles.png",
      "scenes/1/scenes/classes.xml",
      "scenes/1/scenes/workshop.xml",
    ]);
    expect(manifest.plugins.map((name) => dirname(name))).toEqual([world.root, world.root]);
    const report = await verifyBundle(file, { plugins: [robot] });
    expect(report.verified, JSON.stringify(report.checks)).toBe(true);
    expect(report.replay).toMatchObject({ replayed: 3, equal: 3 });
  });
});

describe("a bundle without its scenes", () => {
  async function bare() {
    const world = await sceneWorld({ "scenes/rooms.obj": rooms }, [walk("1", "rooms.obj")]);
    const { run_dir } = await evaluate(world);
    const { file, manifest } = await bundled(run_dir ?? "", { scenes: false });
    const own = join(temporaryFolder(), "mine");
    cpSync(join(world.root, "scenes"), own, { recursive: true });
    rmSync(world.root, { recursive: true });
    return { file, manifest, own };
  }

  it("a bundle without scenes has their hashes and asks for the scene folder", async () => {
    const { file, manifest } = await bare();
    expect(paths(manifest)).toEqual([]);
    expect(manifest.scenes).toMatchObject([
      { left_out: "on request", files: [{ path: "scenes/1/scenes/rooms.obj" }] },
    ]);
    await expect(verifyBundle(file)).rejects.toMatchObject({
      ...{ code: "missing_scenes", where: "--scenes", exitCode: 2 },
      message: expect.stringContaining("rooms.obj"),
    });
    await expect(verifyBundle(file, { scenes: "/nowhere" })).rejects.toMatchObject({
      code: "missing_directory",
    });
  });

  it("verification uses the checker scenes for a bundle without scenes if the hashes agree", async () => {
    const { file, own } = await bare();
    const report = await verifyBundle(file, { scenes: own });
    expect(report.verified, JSON.stringify(report.checks)).toBe(true);
    appendFileSync(join(own, "rooms.obj"), "# looked at\n");
    const other = await verifyBundle(file, { scenes: own });
    expect(statuses(other)).toMatchObject({ scenes: "failed", replay: "failed" });
    rmSync(join(own, "rooms.obj"));
    expect(statuses(await verifyBundle(file, { scenes: own }))).toMatchObject({ scenes: "failed" });
  });

  it("a bundle without graphs asks for their folder", async () => {
    const world = makeWorld();
    const { run_dir } = await evaluate(world);
    const { file } = await bundled(run_dir ?? "", { scenes: false });
    await expect(verifyBundle(file)).rejects.toMatchObject({ where: "--connectivity" });
    const connectivity = join(world.root, "episodes/connectivity");
    expect((await verifyBundle(file, { connectivity })).verified).toBe(true);
  });
});

describe("a checker with the scenes", () => {
  it("a checker with the scenes uses them instead of those of the bundle", async () => {
    const world = await sceneWorld({ "scenes/rooms.obj": rooms }, [walk("1", "rooms.obj")]);
    const { run_dir } = await evaluate(world);
    const { file } = await bundled(run_dir ?? "");
    const scenes = join(world.root, "scenes");
    const report = await verifyBundle(file, { scenes });
    expect(report.checks.find(({ name }) => name === "scenes")?.text).toContain("found here");
    // A wall that the bundle's does not have.
    appendFileSync(
      join(scenes, "rooms.obj"),
      objOf([
        [
          [-4, 0, 0.9],
          [0, 2, 1.1],
        ],
      ]),
    );
    expect(statuses(await verifyBundle(file, { scenes }))).toMatchObject({ scenes: "failed" });
    expect((await verifyBundle(file)).verified).toBe(true);
  });
});
