import { join } from "node:path";
import type { Document, GLTF } from "@gltf-transform/core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { RunResults } from "../../src/core/interfaces/result.js";
import type { Vec3 } from "../../src/core/math/vec3.js";
import { encodedCorners } from "../../src/simulator/scenes/decoders/basis.fixture.js";
import { dracoGlb } from "../../src/simulator/scenes/gltf/compressed.fixture.js";
import {
  editGlb,
  floorDocument,
  type GlbJson,
  glb,
} from "../../src/simulator/scenes/scene-files.fixture.js";
import { linesOf, makeWorld, robotEval } from "../support/cli.js";
import { type Box, objOf, TWO_ROOMS } from "../support/obj-scene.js";

/** A GLB whose only chunk is this JSON. */
function glbOf(document: object): Uint8Array {
  const json = JSON.stringify(document).padEnd(Math.ceil(JSON.stringify(document).length / 4) * 4);
  const bytes = Buffer.alloc(20 + json.length);
  bytes.write("glTF", 0);
  bytes.writeUInt32LE(2, 4);
  bytes.writeUInt32LE(bytes.length, 8);
  bytes.writeUInt32LE(json.length, 12);
  bytes.write("JSON", 16);
  bytes.write(json, 20);
  return bytes;
}

const PILLAR: Box = [
  [0, 0, 0],
  [0.3, 3, 0.3],
];
const FAR_ISLAND: Box = [
  [30, -0.1, -2],
  [34, 0, 2],
];

interface Case {
  readonly scene: string;
  readonly file?: string | Uint8Array;
  readonly start?: Vec3;
  readonly goal?: Vec3;
  /** The error's code; none for an episode that runs. */
  readonly code?: string;
}

const rooms = objOf(TWO_ROOMS);
const CASES: readonly Case[] = [
  { scene: "rooms.obj", file: rooms },
  { scene: "empty.glb", file: glbOf({ asset: { version: "2.0" } }), code: "empty_scene" },
  { scene: "nonsense.glb", file: "this is no scene", code: "bad_gltf" },
  { scene: "pillar.obj", file: objOf([PILLAR]), code: "no_navigable_floor" },
  { scene: "missing.glb", code: "missing_scene" },
  { scene: "apartment/minus", code: "bad_scene_id" },
  { scene: "off.obj", file: rooms, start: [40, 0, 0], code: "start_off_mesh" },
  {
    scene: "island.obj",
    file: objOf([...TWO_ROOMS, FAR_ISLAND]),
    goal: [32, 0, 0],
    code: "unreachable_goal",
  },
  { scene: "again.obj", file: rooms },
];

function worldOf(cases: readonly Case[], more: object = {}) {
  const world = makeWorld();
  for (const { scene, file } of cases) if (file !== undefined) world.write(`scenes/${scene}`, file);
  world.write("scenes/baked.navmesh", "MSET but not really");
  const episodes = cases.map(({ scene, start = [-2, 0, 0], goal = [2, 0, 0] }, i) => ({
    episode_id: String(i),
    task_type: "vln",
    scene_id: scene,
    start_state: { position: start, rotation: [0, 0, 0, 1] },
    goals: { position: goal },
    instruction: { text: "go" },
  }));
  world.write("nav/vln.json", { format: "robot-eval-episodes/1", episodes });
  const yaml = world.write(
    "nav.yaml",
    stringify({
      benchmark: { name: "bad scenes" },
      vln_task: { type: "vln", config: { profile: "habitat", metrics: ["success", "spl"] } },
      dataset: { vln: { type: "vln", data_path: "nav/vln.json", scenes: "scenes" } },
      ...more,
    }),
  );
  return { ...world, yaml };
}

describe("unusable scenes", () => {
  it("unusable scenes make their own episodes invalid with a reason, and the run continues", async () => {
    const world = worldOf(CASES);
    const args = ["run", world.yaml, "--agent", "shortest-path", "--out", world.out, "--json"];
    const { stdout, code } = await robotEval(args, world.root);
    expect(code).toBe(3);
    const { run_dir, episodes } = JSON.parse(stdout) as RunResults;
    expect(episodes).toMatchObject({ total: CASES.length, success: 2 });
    const lines = await linesOf(run_dir);
    for (const [i, { scene, code: expected }] of CASES.entries()) {
      const line = lines.find(({ episode_id }) => episode_id === String(i));
      if (expected === undefined) {
        expect(line?.outcome, scene).toBe("success");
        continue;
      }
      expect(line, scene).toMatchObject({ outcome: "invalid", fault: "data" });
      expect(line?.error?.code, scene).toBe(expected);
      expect(line?.explanation, scene).toContain("not counted (data fault)");
    }
  });

  it("a damaged .navmesh file makes its episode invalid, and the error names the file", async () => {
    const world = worldOf([{ scene: "baked.obj", file: rooms }]);
    const args = ["run", world.yaml, "--agent", "random", "--out", world.out, "--json"];
    const { stdout } = await robotEval(args, world.root);
    const [line] = await linesOf((JSON.parse(stdout) as RunResults).run_dir);
    expect(line?.error?.code).toBe("bad_navmesh");
    expect(line?.error?.message).toContain("baked.navmesh");
    expect(line?.error?.message).toContain("delete it");
  });
});

describe("glTF files with damaged parts", () => {
  it("damaged glTF files make their own episodes invalid with a reason, and the run continues", async () => {
    const cases = await damagedScenes();
    const world = worldOf(cases, { simulator: { sensors: { rgb: { width: 16, height: 12 } } } });
    const args = ["run", world.yaml, "--agent", "shortest-path", "--out", world.out, "--json"];
    const { stdout, code } = await robotEval(args, world.root);
    expect(code).toBe(3);
    const { run_dir, episodes } = JSON.parse(stdout) as RunResults;
    expect(episodes).toMatchObject({ total: cases.length, success: 2 });
    const found = (await linesOf(run_dir)).map(({ scene_id, outcome, error }) => ({
      scene: scene_id,
      outcome,
      code: error?.code,
    }));
    const expected = cases.map(({ scene, code: why }) => ({
      scene,
      outcome: why === undefined ? "success" : "invalid",
      code: why,
    }));
    expect(found.toSorted(byScene)).toEqual(expected.toSorted(byScene));
  });

  it("scene --check lists damaged glTF files with their reasons and exits with 4", async () => {
    const world = makeWorld();
    const [good, truncated] = await damagedScenes();
    if (!good?.file || !truncated?.file) throw new Error("no scenes");
    world.write(`scenes/${good.scene}`, good.file);
    world.write(`scenes/${truncated.scene}`, truncated.file);
    const args = ["scene", "--check", join(world.root, "scenes")];
    const { stdout, stderr, code } = await robotEval(args, world.root);
    expect(code, stderr).toBe(4);
    expect(stdout + stderr).toContain(truncated.scene);
    expect(stdout + stderr).toContain("texture");
  });
});

const byScene = (a: { scene: string }, b: { scene: string }) => a.scene.localeCompare(b.scene);

/** The first is good, and so is the last. */
async function damagedScenes(): Promise<readonly Case[]> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const huge = Buffer.from(png);
  huge.writeUInt32BE(32_768, 16);
  huge.writeUInt32BE(32_768, 20);
  const ktx = Buffer.from(await encodedCorners(64, 64, { format: "etc1s", container: "ktx2" }));
  // The index of levels starts at byte 80 with the place of the finest one.
  const withoutLevel = Buffer.from(ktx);
  withoutLevel.writeBigUInt64LE(BigInt(ktx.length), 80);
  const basis = (json: GlbJson) => {
    const [texture] = json.textures as GLTF.ITexture[];
    const [image] = json.images as GLTF.IImage[];
    if (!texture || !image) throw new Error("no texture");
    texture.extensions = { KHR_texture_basisu: { source: texture.source } };
    delete texture.source;
    image.mimeType = "image/ktx2";
    json.extensionsRequired = ["KHR_texture_basisu"];
  };
  const bomb = Buffer.from(await dracoGlb(floorDocument(10)));
  const draco = bomb.indexOf("DRACO");
  bomb.set([0xff, 0xff, 0xff, 0xff, 0x03], draco + 12);
  const cyclic = editGlb(await glb(floorDocument(10)), (json) => {
    const nodes = json.nodes as GLTF.INode[];
    nodes.push({ children: [nodes.length + 1] }, { children: [nodes.length] });
    (json.scenes as GLTF.IScene[])[0]?.nodes?.push(nodes.length - 2);
  });
  const textured = async (image: Uint8Array, edit: (json: GlbJson) => void = () => {}) =>
    editGlb(await glb(floorWith(image)), edit);
  return [
    { scene: "good.glb", file: await textured(ktx, basis) },
    {
      scene: "truncated-ktx2.glb",
      file: await textured(ktx.subarray(0, ktx.length / 2), basis),
      code: "bad_texture",
    },
    {
      scene: "missing-mip.glb",
      file: await textured(withoutLevel, basis),
      code: "bad_texture",
    },
    { scene: "huge-texture.glb", file: await textured(huge), code: "bad_texture" },
    { scene: "draco-bomb.glb", file: bomb, code: "bad_geometry" },
    { scene: "cyclic-nodes.glb", file: cyclic, code: "bad_gltf" },
    { scene: "plain.glb", file: await glb(floorDocument(10)) },
  ];
}

/** A floor of 10 x 10 m with a texture. */
function floorWith(image: Uint8Array): Document {
  const document = floorDocument(10);
  const [primitive] = document.getRoot().listMeshes()[0]?.listPrimitives() ?? [];
  const uvs = document
    .createAccessor()
    .setType("VEC2")
    .setArray(Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0))
    .setBuffer(document.getRoot().listBuffers()[0] ?? null);
  const texture = document.createTexture("t").setImage(image).setMimeType("image/png");
  const material = document.createMaterial("look").setBaseColorTexture(texture);
  primitive?.setAttribute("TEXCOORD_0", uvs).setMaterial(material);
  return document;
}

describe("unusable settings", () => {
  it.each([
    [{ sensors: { rgb: { width: 100_000 } } }, "width"],
    [{ sensors: { rgb: { hfov: 200 } } }, "hfov"],
    [{ agent: { radius: -1 } }, "radius"],
    [{ geodesic: "exact" }, "removed in version 0.2"],
    [{ scenes: "nowhere" }, "nowhere"],
  ])(
    "unusable settings are rejected with their line before the run: %j",
    async (simulator, word) => {
      const world = worldOf([{ scene: "rooms.obj", file: rooms }], { simulator });
      if ("scenes" in simulator) world.write("nav.yaml", await withoutDatasetScenes(world.yaml));
      const args = ["run", world.yaml, "--agent", "random", "--out", world.out];
      const { stderr, code } = await robotEval(args, world.root);
      expect(code).toBe(2);
      expect(stderr).toMatch(/nav\.yaml:\d+:\d+/);
      expect(stderr).toContain(word);
      expect(world.runs()).toEqual([]);
    },
  );
});

async function withoutDatasetScenes(yaml: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return (await readFile(yaml, "utf8")).replace("    scenes: scenes\n", "");
}

describe("a user's scene", () => {
  it("a user scene can be evaluated, mapped and rescored", async () => {
    const world = worldOf([{ scene: "rooms.obj", file: rooms }]);
    const args = ["run", world.yaml, "--agent", "shortest-path", "--out", world.out, "--json"];
    const { stdout } = await robotEval(args, world.root);
    const { run_dir } = JSON.parse(stdout) as RunResults;
    const run = run_dir ?? "";
    const map = await robotEval(["map", run, "--json"], world.root);
    expect(map.code, map.stderr).toBe(0);
    const out = join(world.root, "scored");
    const score = ["score", run, "--metrics", "success,cls", "--out", out, "--json"];
    const again = await robotEval(score, world.root);
    expect(again.code, again.stderr).toBe(0);
    expect((JSON.parse(again.stdout) as RunResults).aggregated_metrics.success?.mean).toBe(1);
  });
});
