import type { Document, GLTF } from "@gltf-transform/core";
import { describe, expect, it } from "vitest";
import { triangleCount } from "../../../../test/support/triangle-count.js";
import { boundsOf } from "../geometry.js";
import {
  editGlb,
  floorDocument,
  type GlbJson,
  glb,
  temporaryFolder,
} from "../scene-files.fixture.js";
import { readGltf } from "./gltf.js";

const write = temporaryFolder();

async function read(document: Document, edit: (json: GlbJson) => void) {
  return readGltf(await write("scene.glb", editGlb(await glb(document), edit)));
}

/** Adds an accessor of floats in a buffer of its own and returns its index. */
function floats(json: GlbJson, type: GLTF.IAccessor["type"], size: number, values: number[]) {
  const bytes = Buffer.from(Float32Array.from(values).buffer);
  const uri = `data:application/octet-stream;base64,${bytes.toString("base64")}`;
  const buffer = (json.buffers as object[]).push({ uri, byteLength: bytes.length }) - 1;
  const view = { buffer, byteLength: bytes.length };
  const bufferView = (json.bufferViews as object[]).push(view) - 1;
  const accessor = { type, componentType: 5126, count: values.length / size, bufferView };
  return (json.accessors as object[]).push(accessor) - 1;
}

/** A floor of 4 x 4 m whose vertices at +x follow the second of two joints; the joint was bound at x = 2. */
function skin(json: GlbJson, joints = [0, 0, 1, 1]): void {
  const [mesh] = json.meshes as GLTF.IMesh[];
  Object.assign(mesh?.primitives[0]?.attributes ?? {}, {
    JOINTS_0: floats(
      json,
      "VEC4",
      4,
      joints.flatMap((joint) => [joint, 0, 0, 0]),
    ),
    WEIGHTS_0: floats(
      json,
      "VEC4",
      4,
      joints.flatMap(() => [1, 0, 0, 0]),
    ),
  });
  const unmoved = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const bound = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1];
  const inverseBindMatrices = floats(json, "MAT4", 16, [...unmoved, ...bound]);
  json.skins = [{ joints: [1, 2], inverseBindMatrices }];
  json.nodes = [
    // The mesh's own node does not count.
    { name: "body", mesh: 0, skin: 0, translation: [50, 50, 50] },
    { name: "root", children: [2], translation: [0, 1, 0] },
    { name: "arm", translation: [3, 2, 0] },
  ];
  json.scenes = [{ nodes: [0, 1] }];
}

describe("a skinned mesh", () => {
  it("a skinned mesh is read in the pose of its joints, wherever its own node is", async () => {
    const { parts, instances } = await read(floorDocument(4), (json) => skin(json));
    const { positions } = parts[0]?.mesh ?? {};
    // At -x by the root, 1 m up; at +x by the arm, which is at (3, 3, 0) and was at (2, 0, 0).
    expect([...(positions ?? [])]).toEqual([-2, 1, -2, -2, 1, 2, 3, 3, 2, 3, 3, -2]);
    expect(parts[0]?.transform).toBeUndefined();
    expect(instances.map(({ name }) => name)).toEqual(["body"]);
  });

  it("a skinned mesh is rejected if it refers to a missing joint, node or skin", async () => {
    const missing = read(floorDocument(4), (json) => skin(json, [0, 0, 1, 7]));
    await expect(missing).rejects.toMatchObject({
      code: "bad_geometry",
      message: "vertex 3 follows joint 7, but the skin has 2 joints",
      where: expect.stringContaining("mesh floor, primitive 0"),
    });
    for (const edit of [{ joints: [1, 99] }, { joints: [0, 1, 2], inverseBindMatrices: 0 }]) {
      const bad = read(floorDocument(4), (json) => {
        skin(json);
        Object.assign((json.skins as object[])[0] ?? {}, edit);
      });
      await expect(bad).rejects.toMatchObject({ code: "bad_gltf" });
    }
  });

  it("a skinned mesh is rejected if its joints are their own ancestors", async () => {
    const cyclic = read(floorDocument(4), (json) => {
      skin(json);
      Object.assign((json.nodes as object[])[2] ?? {}, { children: [1] });
      json.scenes = [{ nodes: [0] }];
    });
    await expect(cyclic).rejects.toMatchObject({
      code: "bad_gltf",
      message: expect.stringContaining("is its own ancestor"),
    });
  });
});

describe("a mesh with instances (EXT_mesh_gpu_instancing)", () => {
  const instanced = (json: GlbJson, attributes: Record<string, number>) => {
    const [node] = json.nodes as GLTF.INode[];
    if (node) node.extensions = { EXT_mesh_gpu_instancing: { attributes } };
    json.extensionsRequired = ["EXT_mesh_gpu_instancing"];
  };

  it("a mesh with instances (EXT_mesh_gpu_instancing) is copied to each place, and each copy is an object", async () => {
    const { parts, instances } = await read(floorDocument(1), (json) => {
      Object.assign((json.nodes as object[])[0] ?? {}, { name: "chair", translation: [0, 1, 0] });
      instanced(json, {
        TRANSLATION: floats(json, "VEC3", 3, [0, 0, 0, 5, 0, 0, 9, 0, 0]),
        SCALE: floats(json, "VEC3", 3, [1, 1, 1, 2, 1, 1, 1, 1, 1]),
      });
    });
    expect(triangleCount(parts)).toBe(6);
    expect(boundsOf(parts)).toEqual({ min: [-0.5, 1, -0.5], max: [9.5, 1, 0.5] });
    expect(boundsOf(parts.slice(1, 2))).toEqual({ min: [4, 1, -0.5], max: [6, 1, 0.5] });
    expect(instances).toMatchObject([
      { name: "chair_1", category: "chair" },
      { name: "chair_2", category: "chair" },
      { name: "chair_3", category: "chair" },
    ]);
    expect(parts[0]?.mesh).toBe(parts[2]?.mesh);
  });

  it("a mesh with instances (EXT_mesh_gpu_instancing) is rejected if its attributes have different lengths", async () => {
    const uneven = read(floorDocument(1), (json) => {
      instanced(json, {
        TRANSLATION: floats(json, "VEC3", 3, [0, 0, 0, 5, 0, 0]),
        ROTATION: floats(json, "VEC4", 4, [0, 0, 0, 1]),
      });
    });
    await expect(uneven).rejects.toMatchObject({
      code: "bad_gltf",
      message: expect.stringContaining("have different lengths"),
    });
  });

  it("a mesh with instances (EXT_mesh_gpu_instancing) is rejected if its copies have more triangles than fit into memory", async () => {
    const many = read(floorDocument(1), (json) => {
      // Without a buffer view, all values are 0.
      const accessor = { type: "VEC3", componentType: 5126, count: 6_000_000 };
      instanced(json, { TRANSLATION: (json.accessors as object[]).push(accessor) - 1 });
    });
    await expect(many).rejects.toMatchObject({
      code: "scene_too_large",
      message: expect.stringContaining("12000000 triangles"),
    });
  });
});
