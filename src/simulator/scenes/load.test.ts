import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Document, type GLTF } from "@gltf-transform/core";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { triangleCount } from "../../../test/support/triangle-count.js";
import { boundsOf, solidGeometry } from "./geometry.js";
import { loadScene } from "./load.js";
import { editGlb, floorDocument, glb, silentIo, temporaryFolder } from "./scene-files.fixture.js";

const write = temporaryFolder();

async function writeFloor(name = "floor.glb", edit?: (json: Record<string, unknown>) => void) {
  const bytes = await glb(floorDocument());
  return write(name, edit ? editGlb(bytes, edit) : bytes);
}

describe("a scene read from a file", () => {
  it("loadScene lists the building as the first instance, then the objects, with bounding boxes", async () => {
    const document = floorDocument();
    const mesh = document.getRoot().listMeshes()[0] ?? null;
    const scene = document.getRoot().listScenes()[0];
    for (const x of [1, 2]) {
      scene?.addChild(document.createNode("chair").setMesh(mesh).setTranslation([x, x, 0]));
    }
    const model = await loadScene("house", await write("house.glb", await glb(document)));
    expect(model.id).toBe("house");
    expect(model.instances).toEqual([
      { name: "building", category: "unknown", min: [-2, 0, -2], max: [4, 2, 2] },
      { name: "floor_1", category: "floor", min: [-2, 0, -2], max: [2, 0, 2] },
      { name: "chair", category: "chair", min: [-1, 1, -2], max: [3, 1, 2] },
      { name: "chair_2", category: "chair", min: [0, 2, -2], max: [4, 2, 2] },
    ]);
    expect(model.parts.map(({ instance }) => instance)).toEqual([1, 2, 3]);
    expect(model).toMatchObject({ rooms: [], doors: [], warnings: [] });
  });

  it("loadScene treats a single object without a known category as the building", async () => {
    const document = floorDocument();
    document.getRoot().listNodes()[0]?.setName("scan");
    const model = await loadScene("scan", await write("scan.glb", await glb(document)));
    expect(model.instances).toMatchObject([{ name: "scan", category: "unknown" }]);
    expect(model.parts[0]?.instance).toBe(0);
  });

  it("loadScene reads a .gltf with external or embedded buffers", async () => {
    const { json, resources } = await silentIo().writeJSON(floorDocument());
    const bin = Object.values(resources)[0] ?? new Uint8Array();
    const [buffer] = json.buffers ?? [];
    if (!buffer) throw new Error("no buffer");
    buffer.uri = "my%20bytes.bin";
    await write("apart/my bytes.bin", bin);
    const apart = await loadScene("x", await write("apart/a.gltf", JSON.stringify(json)));
    expect(apart.files.map((file) => file.split("/").pop())).toEqual(["a.gltf", "my bytes.bin"]);
    buffer.uri = `data:application/octet-stream;base64,${Buffer.from(bin).toString("base64")}`;
    const inside = await loadScene("x", await write("inside.gltf", JSON.stringify(json)));
    expect(inside.parts).toEqual(apart.parts);
  });
});

describeWithSharedData("a published GLB file", () => {
  it.each(["level.glb", "level.nav.glb"])("loadScene reads all triangles of %s", async (name) => {
    const file = sharedData(`nav_meshes/three-pathfinding/${name}`);
    const bytes = await readFile(file);
    const json: GLTF.IGLTF = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
    let expected = 0;
    for (const mesh of json.meshes ?? []) {
      for (const { indices } of mesh.primitives) {
        expected += (json.accessors?.[indices ?? -1]?.count ?? 0) / 3;
      }
    }
    const model = await loadScene(name, file);
    expect(triangleCount(model.parts)).toBe(expected);
    expect(boundsOf(model.parts)).toEqual({
      min: json.accessors?.[0]?.min,
      max: json.accessors?.[0]?.max,
    });
  });

  it("loadScene reads the same geometry from GLB and from OBJ", async () => {
    const [a, b] = await Promise.all(
      ["level.glb", "level.obj"].map((name) =>
        loadScene(name, sharedData(`nav_meshes/three-pathfinding/${name}`)),
      ),
    );
    if (!a || !b) throw new Error("not loaded");
    expect(triangleCount(a.parts)).toBe(triangleCount(b.parts));
    const [{ min, max }, other] = [boundsOf(a.parts), boundsOf(b.parts)];
    for (const axis of [0, 1, 2] as const) {
      expect(min[axis]).toBeCloseTo(other.min[axis], 4);
      expect(max[axis]).toBeCloseTo(other.max[axis], 4);
    }
    expect(solidGeometry(a).indices).toHaveLength(4836);
  });
});

describe("loadScene", () => {
  it.each([
    ["lost.glb", "missing_scene"],
    ["lost.obj", "missing_scene"],
    ["scene.ply", "unknown_scene_format"],
    ["scene", "unknown_scene_format"],
  ])("loadScene rejects the scene file %s with the code %s", async (name, code) => {
    const file = `${dirname(await writeFloor())}/${name}`;
    await expect(loadScene("x", file)).rejects.toMatchObject({ code, where: file });
  });

  it("loadScene reports a Git LFS pointer in place of a scene", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    const file = await write("pointer.glb", pointer);
    await expect(loadScene("x", file)).rejects.toMatchObject({
      code: "lfs_pointer",
      where: file,
      hint: expect.stringContaining("git lfs pull"),
    });
  });

  it("loadScene rejects a scene whose path is a folder", async () => {
    const inside = await writeFloor("folder.glb/x.glb");
    await expect(loadScene("x", dirname(inside))).rejects.toMatchObject({ code: "missing_scene" });
  });

  it("loadScene rejects an unknown format and lists the supported formats", async () => {
    await expect(loadScene("x", "scene.ply")).rejects.toThrow(
      "cannot read a scene file with the extension .ply",
    );
    await expect(loadScene("x", "scene.ply")).rejects.toMatchObject({
      hint: "use .glb, .gltf, .obj, .scene_instance.json, or apartment/<seed>, which needs no file",
    });
  });

  it.each([
    ["an empty file", "", "bad_gltf"],
    ["a web page", "<html>not found</html>", "bad_gltf"],
    ["other JSON", '{"episodes": []}', "bad_gltf"],
    ["glTF 1.0", '{"asset": {"version": "1.0"}}', "bad_gltf"],
    [
      "values that are not lists",
      '{"asset": {"version": "2.0"}, "meshes": 7, "nodes": [3]}',
      "bad_gltf",
    ],
    ["nothing", '{"asset": {"version": "2.0"}}', "empty_scene"],
    [
      "a missing buffer",
      '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "no.bin"}]}',
      "missing_buffer",
    ],
    [
      "a buffer at a network address",
      '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "https://x.y/z.bin"}]}',
      "missing_buffer",
    ],
    [
      "an empty buffer",
      '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4}]}',
      "truncated_scene",
    ],
    [
      "a node that is its own child",
      '{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]}',
      "bad_gltf",
    ],
  ])("loadScene rejects a glTF scene with invalid content: %s", async (_, content, code) => {
    const file = await write("odd.gltf", content);
    await expect(loadScene("x", file)).rejects.toMatchObject({ code, where: file });
  });

  it("loadScene rejects a scene truncated at any byte", async () => {
    const whole = await glb(floorDocument());
    for (let length = 0; length < whole.length; length += 7) {
      const file = await write("cut.glb", whole.subarray(0, length));
      await expect(loadScene("x", file)).rejects.toMatchObject({
        code: expect.stringMatching(length < 4 ? /^bad_gltf$/ : /^truncated_scene$/),
      });
    }
  });

  it("loadScene rejects a scene without triangles", async () => {
    const document = new Document();
    document.createScene().addChild(document.createNode("nothing"));
    const file = await write("empty.glb", await glb(document));
    await expect(loadScene("x", file)).rejects.toMatchObject({ code: "empty_scene", where: file });
  });

  it("loadScene rejects a scene with a vertex that is not a number", async () => {
    const document = floorDocument();
    const position = document
      .getRoot()
      .listMeshes()[0]
      ?.listPrimitives()[0]
      ?.getAttribute("POSITION");
    position?.setElement(2, [1, Number.NaN, 0]);
    const file = await write("nan.glb", await glb(document));
    await expect(loadScene("x", file)).rejects.toMatchObject({
      code: "bad_geometry",
      message: "vertex 2 has the invalid coordinate NaN",
      where: `${file}: mesh floor, primitive 0`,
    });
  });

  it("loadScene rejects a scene with a triangle that refers to a missing vertex", async () => {
    const document = floorDocument();
    document.getRoot().listMeshes()[0]?.listPrimitives()[0]?.getIndices()?.setScalar(1, 99);
    const file = await write("range.glb", await glb(document));
    await expect(loadScene("x", file)).rejects.toMatchObject({ code: "bad_geometry" });
  });

  it("loadScene rejects a scene with values outside their buffer", async () => {
    const past = await writeFloor("past.glb", (json) => {
      const [view] = json.bufferViews as GLTF.IBufferView[];
      if (view) view.byteLength = 10_000;
    });
    await expect(loadScene("x", past)).rejects.toMatchObject({ code: "bad_gltf" });
    const many = await writeFloor("many.glb", (json) => {
      for (const accessor of json.accessors as GLTF.IAccessor[]) accessor.count = 5000;
    });
    await expect(loadScene("x", many)).rejects.toMatchObject({ code: "bad_gltf" });
  });

  it("loadScene rejects an unknown required extension but not an optional one", async () => {
    const needs = await writeFloor("needs.glb", (json) => {
      json.extensionsRequired = ["VENDOR_mesh_shards"];
    });
    await expect(loadScene("x", needs)).rejects.toMatchObject({
      code: "unsupported_extension",
      message: "the scene requires unsupported extensions: VENDOR_mesh_shards",
    });
    const uses = await writeFloor("uses.glb", (json) => {
      json.extensionsUsed = ["VENDOR_glitter"];
    });
    expect((await loadScene("x", uses)).parts).toHaveLength(1);
  });

  it("loadScene rejects a scene whose texture is missing or not an image", async () => {
    const { json, resources } = await silentIo().writeJSON(floorDocument());
    const bin = Buffer.from(Object.values(resources)[0] ?? []).toString("base64");
    Object.assign(json.buffers?.[0] ?? {}, { uri: `data:;base64,${bin}` });
    json.images = [{ uri: "lost.png" }];
    json.textures = [{ source: 0 }];
    json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    const file = await write("pictures/x.gltf", JSON.stringify(json));
    await expect(loadScene("x", file)).rejects.toMatchObject({
      code: "missing_texture",
      where: file,
    });
    await write("pictures/lost.png", "not an image");
    await expect(loadScene("x", file)).rejects.toMatchObject({ code: "bad_texture" });
  });
});
