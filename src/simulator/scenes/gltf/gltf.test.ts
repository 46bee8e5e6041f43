import type { Document, GLTF, Primitive } from "@gltf-transform/core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { triangleCount } from "../../../../test/support/triangle-count.js";
import { boundsOf } from "../geometry.js";
import { editGlb, floorDocument, glb, temporaryFolder } from "../scene-files.fixture.js";
import { readGltf } from "./gltf.js";

const [POINTS, LINES, LINE_STRIP, TRIANGLES, STRIP, FAN] = [0, 1, 3, 4, 5, 6] as const;

const write = temporaryFolder();

async function read(document: Document, edit?: (json: Record<string, unknown>) => void) {
  const bytes = await glb(document);
  return readGltf(await write("scene.glb", edit ? editGlb(bytes, edit) : bytes));
}

async function texture(
  width: number,
  height: number,
  rgba: readonly number[],
): Promise<Uint8Array> {
  const data = Uint8Array.from(
    { length: width * height * 4 },
    (_, i) => rgba[i % rgba.length] ?? 0,
  );
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

function withTexture(image: Uint8Array, mimeType = "image/png"): Document {
  const document = floorDocument();
  const material = document
    .createMaterial("look")
    .setBaseColorTexture(document.createTexture("t").setImage(image).setMimeType(mimeType));
  primitiveOf(document).setMaterial(material);
  return document;
}

function primitiveOf(document: Document): Primitive {
  const primitive = document.getRoot().listMeshes()[0]?.listPrimitives()[0];
  if (!primitive) throw new Error("no primitive");
  return primitive;
}

describe("the geometry of a glTF scene", () => {
  it("glTF geometry is transformed by its nodes, parents first", async () => {
    const document = floorDocument(2);
    const node = document.getRoot().listNodes()[0]?.setTranslation([0, 1, 0]).setScale([3, 1, 1]);
    const parent = document.createNode("above").setTranslation([10, 0, 0]);
    // A quarter turn about y maps +x to -z.
    parent.setRotation([0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    if (node) parent.addChild(node);
    document.getRoot().listScenes()[0]?.addChild(parent);
    const { parts } = await read(document);
    const { min, max } = boundsOf(parts);
    expect(min.map((v) => Number(v.toFixed(5)))).toEqual([9, 1, -3]);
    expect(max.map((v) => Number(v.toFixed(5)))).toEqual([11, 1, 3]);
  });

  it("the glTF reader reads a sheared node matrix unchanged", async () => {
    const shear = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1];
    const { parts } = await read(floorDocument(), (json) => {
      Object.assign((json.nodes as object[])[0] ?? {}, { matrix: shear });
    });
    expect(parts[0]?.transform).toEqual(shear);
  });

  it.each([
    ["a list", TRIANGLES, [0, 1, 2, 0, 2, 3]],
    ["a strip", STRIP, [0, 1, 3, 1, 2, 3]],
    ["a fan", FAN, [1, 2, 0, 2, 3, 0]],
  ])("the glTF reader converts %s to a list of triangles", async (_, mode, expected) => {
    const document = floorDocument();
    const order = mode === STRIP ? [0, 1, 3, 2] : [0, 1, 2, 3];
    primitiveOf(document).setMode(mode);
    if (mode !== TRIANGLES) {
      primitiveOf(document).getIndices()?.setArray(Uint16Array.from(order));
    }
    const { parts } = await read(document);
    expect([...(parts[0]?.mesh.indices ?? [])]).toEqual(expected);
  });

  it("every primitive mode keeps the winding, including the second triangle of a strip", async () => {
    for (const [mode, order] of [
      [STRIP, [0, 1, 3, 2]],
      [FAN, [0, 1, 2, 3]],
    ] as const) {
      const document = floorDocument();
      primitiveOf(document).setMode(mode).getIndices()?.setArray(Uint16Array.from(order));
      const mesh = (await read(document)).parts[0]?.mesh;
      const at = (i: number) => {
        const v = (mesh?.indices[i] ?? 0) * 3;
        return [mesh?.positions[v] ?? 0, mesh?.positions[v + 2] ?? 0] as const;
      };
      for (const t of [0, 3]) {
        const [a, b, c] = [at(t), at(t + 1), at(t + 2)];
        const y = (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
        expect(y).toBeGreaterThan(0);
      }
    }
  });

  it("the glTF reader omits points and lines of a glTF scene", async () => {
    const document = floorDocument();
    const original = primitiveOf(document);
    const mesh = document.getRoot().listMeshes()[0];
    for (const mode of [POINTS, LINES, LINE_STRIP]) {
      mesh?.addPrimitive(original.clone().setMode(mode));
    }
    expect(triangleCount((await read(document)).parts)).toBe(2);
  });

  it("the glTF reader uses vertices in order if there are no indices", async () => {
    const document = floorDocument();
    primitiveOf(document).setIndices(null);
    const { parts } = await read(document);
    // Four vertices make one triangle; the last vertex is unused.
    expect([...(parts[0]?.mesh.indices ?? [])]).toEqual([0, 1, 2]);
  });

  it("the glTF reader reads the default scene only and shares meshes between nodes", async () => {
    const document = floorDocument();
    const root = document.getRoot();
    const mesh = root.listMeshes()[0] ?? null;
    const second = document.createNode("chair_2").setMesh(mesh).setTranslation([5, 0, 0]);
    root.listScenes()[0]?.addChild(second);
    document.createScene("other").addChild(document.createNode("elsewhere").setMesh(mesh));
    const { parts, instances } = await read(document, (json) => Object.assign(json, { scene: 0 }));
    expect(instances.map(({ name, category }) => [name, category])).toEqual([
      ["floor_1", "floor"],
      ["chair_2", "chair"],
    ]);
    expect(parts[0]?.mesh).toBe(parts[1]?.mesh);
  });

  it("the glTF reader reads integer positions and sparse accessors", async () => {
    const document = floorDocument();
    const position = primitiveOf(document).getAttribute("POSITION");
    position?.setArray(Int16Array.of(-32767, 0, 0, 0, 0, 32767, 32767, 0, 0, 0, 0, -32767));
    position?.setNormalized(true);
    const { parts } = await read(document, (json) =>
      Object.assign(json, { extensionsRequired: ["KHR_mesh_quantization"] }),
    );
    expect([...(parts[0]?.mesh.positions ?? [])]).toEqual([-1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, -1]);

    const sparse = floorDocument();
    primitiveOf(sparse).getAttribute("POSITION")?.setSparse(true);
    const { parts: again } = await read(sparse);
    expect([...(again[0]?.mesh.positions ?? [])].slice(0, 3)).toEqual([-2, 0, -2]);
  });
});

describe("the materials of a glTF scene", () => {
  it("the glTF reader converts base colours from linear to sRGB", async () => {
    const document = floorDocument();
    primitiveOf(document).setMaterial(
      document
        .createMaterial("grey")
        .setBaseColorFactor([0.2140411, 1, 0, 0.3])
        .setDoubleSided(true),
    );
    const material = (await read(document)).parts[0]?.material;
    expect(material?.color[0]).toBeCloseTo(0.5, 5);
    // Opacity is ignored without blending.
    expect(material?.color.slice(1)).toEqual([1, 0, 1]);
    expect(material).toMatchObject({ name: "grey", doubleSided: true });
    expect(material?.unlit).toBeUndefined();
  });

  it("the glTF reader reads unlit and transparent materials", async () => {
    const document = floorDocument();
    primitiveOf(document).setMaterial(
      document.createMaterial("glass").setBaseColorFactor([1, 1, 1, 0.3]).setAlphaMode("BLEND"),
    );
    const { parts } = await read(document, (json) => {
      const [material] = json.materials as GLTF.IMaterial[];
      if (material) material.extensions = { KHR_materials_unlit: {} };
      json.extensionsRequired = ["KHR_materials_unlit"];
    });
    expect(parts[0]?.material).toMatchObject({ unlit: true, color: [1, 1, 1, 0.3] });
  });

  it("the glTF reader decodes textures to RGBA, opaque by default", async () => {
    const image = await texture(2, 1, [10, 20, 30, 0, 40, 50, 60, 200]);
    const plain = (await read(withTexture(image))).parts[0]?.material.texture;
    expect(plain).toMatchObject({ width: 2, height: 1 });
    expect([...(plain?.data ?? [])]).toEqual([10, 20, 30, 255, 40, 50, 60, 255]);

    const masked = withTexture(image);
    masked.getRoot().listMaterials()[0]?.setAlphaMode("MASK").setAlphaCutoff(0.7);
    const cut = (await read(masked)).parts[0]?.material.texture;
    expect([cut?.data[3], cut?.data[7]]).toEqual([0, 255]);

    const blended = withTexture(image);
    blended.getRoot().listMaterials()[0]?.setAlphaMode("BLEND");
    expect((await read(blended)).parts[0]?.material.texture?.data[7]).toBe(200);
  });

  it("the glTF reader reduces textures above 2048 pixels with a warning", async () => {
    const image = await sharp({
      create: { width: 4096, height: 16, channels: 3, background: "#204060" },
    })
      .jpeg()
      .toBuffer();
    const { parts, warnings } = await read(withTexture(image, "image/jpeg"));
    expect(parts[0]?.material.texture).toMatchObject({ width: 2048, height: 8 });
    expect(warnings).toEqual(["1 textures were reduced to at most 2048 pixels"]);
  });

  it("the glTF reader reads transformed uvs and converts vertex colours to sRGB", async () => {
    const document = withTexture(await texture(1, 1, [1, 2, 3, 255]));
    const buffer = document.getRoot().listBuffers()[0] ?? null;
    const uvs = Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1);
    const colors = Float32Array.from({ length: 16 }, () => 0.2158605);
    primitiveOf(document)
      .setAttribute(
        "TEXCOORD_0",
        document.createAccessor().setType("VEC2").setArray(uvs).setBuffer(buffer),
      )
      .setAttribute(
        "COLOR_0",
        document.createAccessor().setType("VEC4").setArray(colors).setBuffer(buffer),
      );
    const { parts } = await read(document, (json) => {
      const info = (json.materials as GLTF.IMaterial[])[0]?.pbrMetallicRoughness?.baseColorTexture;
      if (info) info.extensions = { KHR_texture_transform: { offset: [0.5, 0], scale: [2, 4] } };
    });
    expect([...(parts[0]?.mesh.uvs ?? [])]).toEqual([0.5, 0, 2.5, 0, 2.5, 4, 0.5, 4]);
    expect([...(parts[0]?.mesh.colors ?? [])].slice(0, 4)).toEqual([128, 128, 128, 255]);
  });
});

describe("the instances of a glTF scene", () => {
  it("the glTF reader creates an instance per node, whose extras give the category for all descendants", async () => {
    const document = floorDocument();
    const scene = document.getRoot().listScenes()[0];
    const mesh = document.getRoot().listMeshes()[0] ?? null;
    const group = document.createNode("thing").setExtras({ category: "piano", room: "hall" });
    group.addChild(document.createNode("lid").setMesh(mesh));
    group.addChild(document.createNode("legs").setMesh(mesh));
    scene?.addChild(group);
    const { parts, instances } = await read(document);
    expect(instances).toEqual([
      { name: "floor_1", category: "floor" },
      { name: "thing", category: "piano", room: "hall" },
    ]);
    expect(parts.map(({ instance }) => instance)).toEqual([0, 1, 1]);
  });
});
