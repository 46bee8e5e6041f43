import type { GLTF } from "@gltf-transform/core";
import { describe, expect, it } from "vitest";
import { triangleCount } from "../../../../test/support/triangle-count.js";
import { boundsOf } from "../geometry.js";
import { editGlb, type GlbJson, glb, temporaryFolder } from "../scene-files.fixture.js";
import { dracoGlb, meshoptGlb, wavyDocument } from "./compressed.fixture.js";
import { readGltf } from "./gltf.js";

const write = temporaryFolder();

async function read(bytes: Uint8Array, edit?: (json: GlbJson) => void) {
  return readGltf(await write("scene.glb", edit ? editGlb(bytes, edit) : bytes));
}

const KINDS = [
  ["Draco", dracoGlb],
  ["meshopt", meshoptGlb],
] as const;

/** The extension's object in the first buffer view that has one. */
function compressedView(json: GlbJson): Record<string, unknown> {
  const views = json.bufferViews as GLTF.IBufferView[];
  const found = views.find(({ extensions }) => extensions)?.extensions?.EXT_meshopt_compression;
  return found as Record<string, unknown>;
}

describe("compressed geometry", () => {
  it.each(KINDS)("the glTF reader reads geometry compressed with %s", async (_, compress) => {
    const plain = await read(await glb(wavyDocument()));
    const compressed = await compress(wavyDocument());
    expect(compressed.length).toBeLessThan(0.6 * (await glb(wavyDocument())).length);
    const { parts, warnings } = await read(compressed);
    expect(warnings).toEqual([]);
    expect(triangleCount(parts)).toBe(800);
    expect(parts[0]?.mesh.uvs).toHaveLength(441 * 2);
    const [a, b] = [boundsOf(plain.parts), boundsOf(parts)];
    for (const end of ["min", "max"] as const) {
      a[end].forEach((value, i) => {
        expect(b[end][i]).toBeCloseTo(value, 3);
      });
    }
  });

  it("the glTF reader reads meshopt data under the final name of the extension, with a fallback buffer", async () => {
    const bytes = await meshoptGlb(wavyDocument());
    const { parts } = await read(bytes, (json) => {
      const renamed = JSON.parse(
        JSON.stringify(json).replaceAll("EXT_meshopt_compression", "KHR_meshopt_compression"),
      ) as GlbJson;
      expect(JSON.stringify(renamed.buffers)).toContain('"fallback":true');
      Object.assign(json, renamed);
    });
    expect(triangleCount(parts)).toBe(800);
  });

  it("the glTF reader prefers a plain copy of the geometry to its compressed form", async () => {
    const triangle = Float32Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0);
    const data = Buffer.from(triangle.buffer).toString("base64");
    const { parts } = await read(await dracoGlb(wavyDocument()), (json) => {
      const uri = `data:application/octet-stream;base64,${data}`;
      const buffer = (json.buffers as GLTF.IBuffer[]).push({ uri, byteLength: 36 }) - 1;
      const view = (json.bufferViews as GLTF.IBufferView[]).push({ buffer, byteLength: 36 }) - 1;
      const accessor = { type: "VEC3", componentType: 5126, count: 3, bufferView: view } as const;
      const position = (json.accessors as GLTF.IAccessor[]).push(accessor) - 1;
      const primitive = (json.meshes as GLTF.IMesh[])[0]?.primitives[0];
      if (!primitive) return;
      primitive.attributes = { POSITION: position };
      delete primitive.indices;
    });
    expect(parts[0]?.mesh.positions).toEqual(triangle);
  });
});

describe("damaged compressed geometry", () => {
  it("the glTF reader rejects Draco data with other counts than the file declares", async () => {
    const bytes = await dracoGlb(wavyDocument());
    const bomb = read(bytes, (json) => {
      for (const accessor of json.accessors as GLTF.IAccessor[]) accessor.count = 5_000_000;
    });
    await expect(bomb).rejects.toMatchObject({
      code: "bad_geometry",
      message: expect.stringMatching(/declares 5000000 elements of POSITION; .* has 441$/),
      where: expect.stringContaining("scene.glb: mesh wavy, primitive 0"),
    });
  });

  it("the glTF reader reads Draco data whose counts are slightly off, as some encoders write them", async () => {
    const { parts } = await read(await dracoGlb(wavyDocument()), (json) => {
      for (const accessor of json.accessors as GLTF.IAccessor[]) accessor.count -= 3;
    });
    expect(triangleCount(parts)).toBe(800);
    expect(parts[0]?.mesh.positions).toHaveLength(441 * 3);
  });

  it("the glTF reader rejects a file that declares more geometry than fits into memory", async () => {
    const bomb = read(await dracoGlb(wavyDocument()), (json) => {
      for (const accessor of json.accessors as GLTF.IAccessor[]) accessor.count = 2_000_000_000;
    });
    await expect(bomb).rejects.toMatchObject({
      code: "scene_too_large",
      message: expect.stringContaining("at most 1073741824 are supported"),
      hint: expect.stringContaining("simplify"),
    });
  });

  it("the glTF reader rejects Draco data whose own header declares a billion triangles", async () => {
    const bytes = Uint8Array.from(await dracoGlb(wavyDocument()));
    const at = Buffer.from(bytes).indexOf("DRACO");
    // The header has 11 bytes, then: traversal, vertices, faces; both as LEB128 numbers.
    bytes.set([0xff, 0xff, 0xff, 0xff, 0x03], at + 12);
    bytes.set([0xff, 0xff, 0xff, 0xff, 0x03], at + 17);
    const before = process.memoryUsage().rss;
    await expect(read(bytes)).rejects.toMatchObject({
      code: "bad_geometry",
      message: expect.stringContaining("geometry compressed with Draco cannot be decoded"),
      hint: "the file is damaged: export or download it again",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(900e6);
    expect(triangleCount((await read(await dracoGlb(wavyDocument()))).parts)).toBe(800);
  });

  it("the glTF reader reads a good file after Draco data that is damaged anywhere", async () => {
    const bytes = await dracoGlb(wavyDocument());
    const at = Buffer.from(bytes).indexOf("DRACO");
    for (let offset = 0; offset < 600; offset += 31) {
      const damaged = Uint8Array.from(bytes);
      damaged.fill(0xff, at + offset, at + offset + 6);
      await read(damaged).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "bad_geometry" });
      });
    }
    expect(triangleCount((await read(bytes)).parts)).toBe(800);
  });

  it.each([
    ["count", 440, "440 elements of"],
    ["count", 4_000_000_000, "4000000000 elements of"],
    ["byteStride", 6, "elements of 6 bytes"],
    ["mode", "POINTS", "the mode POINTS is unknown"],
    ["filter", "constructor", "the filter constructor is unknown"],
    ["byteLength", 5, "Malformed buffer data"],
    ["byteLength", 99_999_999, "exceeds its buffer"],
    ["buffer", 7, "exceeds its buffer"],
  ])("the glTF reader rejects meshopt data with the %s %s", async (field, value, message) => {
    const read1 = read(await meshoptGlb(wavyDocument()), (json) => {
      Object.assign(compressedView(json), { [field]: value });
    });
    await expect(read1).rejects.toMatchObject({
      code: "bad_geometry",
      message: expect.stringContaining(message),
      where: expect.stringMatching(/scene\.glb: buffer view \d$/),
    });
  });

  it("the glTF reader rejects a buffer without data whose views are not compressed", async () => {
    const bytes = await meshoptGlb(wavyDocument());
    const read1 = read(bytes, (json) => {
      for (const view of json.bufferViews as GLTF.IBufferView[]) delete view.extensions;
    });
    await expect(read1).rejects.toMatchObject({
      code: "bad_gltf",
      message: expect.stringContaining("lies in a buffer without data"),
    });
  });
});
