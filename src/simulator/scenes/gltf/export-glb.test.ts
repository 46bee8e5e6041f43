import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../core/math/random.js";
import { generateApartment } from "../apartment/apartment.js";
import { finishDraft } from "../draft.js";
import { solidGeometry } from "../geometry.js";
import type { SceneModel, Texture } from "../model.js";
import { silentIo, temporaryFolder } from "../scene-files.fixture.js";
import { writeGlb } from "./export-glb.js";
import { readGltf } from "./gltf.js";

const write = temporaryFolder();

function texture(seed: number, alpha = 255): Texture {
  const random = new Random(seed);
  const data = Uint8Array.from({ length: 8 * 4 * 4 }, (_, i) =>
    i % 4 === 3 ? alpha : random.below(256),
  );
  return { width: 8, height: 4, data };
}

/** A model that uses every feature of a scene, with numbers from the seed. */
function model(seed = 1): SceneModel {
  const random = new Random(seed);
  const floats = (n: number) => Float32Array.from({ length: n }, () => random.normal() * 10);
  const mesh = { positions: floats(12), indices: Uint32Array.of(0, 1, 2, 2, 1, 3) };
  return {
    id: `apartment/${seed}`,
    parts: [
      {
        mesh: { ...mesh, normals: floats(12), uvs: floats(8) },
        material: { name: "wall", color: [0.5, 0.25, 1, 1], texture: texture(seed) },
        instance: 0,
      },
      {
        mesh: { ...mesh, colors: Uint8Array.from({ length: 16 }, () => random.below(256)) },
        material: { name: "glass", color: [0.9, 0.9, 1, 0.4], doubleSided: true },
        instance: 2,
        transform: [0, 0, -1, 0, 0, 1, 0, 0, 1, 0.5, 0, 0, 3, random.uniform(), 5, 1],
        solid: false,
      },
      {
        mesh,
        material: {
          name: "sky",
          color: [1, 1, 1, 1],
          texture: texture(seed + 1, 100),
          unlit: true,
        },
        instance: 1,
      },
      { mesh, material: { name: "wall", color: [0, 1, 0.2, 1] }, instance: 2 },
      {
        mesh: { ...mesh, uvs: floats(8) },
        material: {
          name: "lamp",
          color: [0.5, 0.5, 0.5, 1],
          texture: { ...texture(seed), wrap: ["clamp", "mirror"], filter: "linear" },
          emission: { color: [4, 2, 0.5], texture: texture(seed) },
        },
        instance: 2,
      },
    ],
    instances: [
      { name: "building", category: "wall", min: [-9, 0, -9], max: [9, 2.5, 9] },
      { name: "window_1", category: "window", min: [1, 1, 1], max: [2, 2, 2], room: "kitchen_1" },
      { name: "chair_1", category: "chair", min: [0.1, 0, 0.3], max: [1, 1, 1] },
      { name: "ghost_1", category: "unknown", min: [0, 0, 0], max: [0, 0, 0] },
    ],
    rooms: [
      {
        name: "kitchen_1",
        kind: "kitchen",
        outline: [
          [0, 0],
          [0, 4.125],
          [3.3, 4.125],
        ],
        floorM: 0.1,
      },
    ],
    doors: [{ rooms: ["kitchen_1", "outside"], position: [1, 0, 2], widthM: 0.9 }],
  };
}

async function roundTrip(scene: SceneModel): Promise<SceneModel> {
  const draft = await readGltf(await write("scene.glb", await writeGlb(scene)));
  expect(draft.warnings).toEqual([]);
  const { warnings: _, ...back } = finishDraft(scene.id, draft, undefined);
  return back;
}

/** Faster than comparing number by number. */
function sameBytes(a: NodeJS.ArrayBufferView, b: NodeJS.ArrayBufferView): boolean {
  return Buffer.compare(viewOf(a), viewOf(b)) === 0;
}

function viewOf(array: NodeJS.ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

describe("an exported scene", () => {
  it("a scene is equal after a round trip through GLB", async () => {
    const scene = model();
    const back = await roundTrip(scene);
    expect(back.instances).toEqual(scene.instances);
    expect(back.rooms).toEqual(scene.rooms);
    expect(back.doors).toEqual(scene.doors);
    expect(back.parts).toHaveLength(scene.parts.length);
    for (const [i, part] of scene.parts.entries()) {
      const again = back.parts[i];
      const { color, ...look } = part.material;
      expect(again).toMatchObject({ ...part, material: look });
      color.forEach((value, k) => {
        expect(again?.material.color[k]).toBeCloseTo(value, 9);
      });
      expect(again?.solid).toBe(part.solid);
      expect(again?.transform).toEqual(part.transform);
    }
  });

  it("a scene with any values is equal after a round trip through GLB", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const scene = model(seed);
        const back = await roundTrip(scene);
        expect(back.parts.map(({ mesh }) => mesh)).toEqual(scene.parts.map(({ mesh }) => mesh));
      }),
      { numRuns: 15 },
    );
  });

  it("a whole apartment is equal after a round trip through GLB", async () => {
    const scene = generateApartment(3);
    const back = await roundTrip(scene);
    const [a, b] = [solidGeometry(scene), solidGeometry(back)];
    expect(sameBytes(a.positions, b.positions)).toBe(true);
    expect(sameBytes(a.indices, b.indices)).toBe(true);
    expect(back.instances).toEqual(scene.instances);
    expect(back.rooms).toEqual(scene.rooms);
    expect(back.doors).toEqual(scene.doors);
    expect(sameBytes(await writeGlb(generateApartment(3)), await writeGlb(scene))).toBe(true);
  });

  it("equal scenes that share objects differently give the same bytes", async () => {
    const bytes = await writeGlb(model());
    expect(await writeGlb(model())).toEqual(bytes);
    expect(await writeGlb(structuredClone(model()))).toEqual(bytes);
    expect(await writeGlb(model(2))).not.toEqual(bytes);
  });

  it("a GLB is well-formed: its chunks fill it, views are in range, floats are aligned", async () => {
    const bytes = await writeGlb(model());
    const view = new DataView(bytes.buffer);
    expect([view.getUint32(0, true), view.getUint32(4, true)]).toEqual([0x46546c67, 2]);
    expect(view.getUint32(8, true)).toBe(bytes.length);
    const jsonLength = view.getUint32(12, true);
    const binAt = 20 + jsonLength;
    const binLength = view.getUint32(binAt, true);
    expect([jsonLength % 4, binLength % 4, binAt + 8 + binLength]).toEqual([0, 0, bytes.length]);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, binAt)));
    for (const { byteOffset, byteLength } of json.bufferViews) {
      expect(byteOffset % 4).toBe(0);
      expect(byteOffset + byteLength).toBeLessThanOrEqual(binLength);
    }
    expect(json.extensionsUsed).toEqual(["KHR_materials_unlit", "KHR_materials_emissive_strength"]);
    expect(json.nodes[2]).toMatchObject({
      name: "chair_1",
      extras: { instance: 2, category: "chair" },
    });
    // Two of the five parts' three textures have the same image, but other samplers.
    expect(json.images).toHaveLength(2);
    expect(json.textures).toHaveLength(3);
  });

  it("glTF-Transform reads an exported scene", async () => {
    const document = await silentIo().readBinary(await writeGlb(model()));
    const root = document.getRoot();
    expect(root.listScenes()[0]?.getExtras()).toMatchObject({ scene_id: "apartment/1" });
    const [first] = root.listNodes().filter((node) => node.getMesh());
    const position = first?.getMesh()?.listPrimitives()[0]?.getAttribute("POSITION")?.getArray();
    expect(position).toEqual(model().parts[0]?.mesh.positions);
    expect(root.listTextures().map((t) => t.getMimeType())).toEqual(["image/png", "image/png"]);
  });

  it("a lossy export stores large opaque textures as JPEG", async () => {
    const scene = model();
    const large = { width: 300, height: 2, data: new Uint8Array(4 * 600).fill(255) };
    const parts = scene.parts
      .slice(0, 4)
      .map((part, i) =>
        i === 0 ? { ...part, material: { ...part.material, texture: large } } : part,
      );
    const types = async (lossy: boolean) => {
      const document = await silentIo().readBinary(await writeGlb({ ...scene, parts }, { lossy }));
      return document
        .getRoot()
        .listTextures()
        .map((t) => t.getMimeType());
    };
    expect(await types(true)).toEqual(["image/jpeg", "image/png"]);
    expect(await types(false)).toEqual(["image/png", "image/png"]);
  });

  it("an export with poses puts each instance at its pose below a root node", async () => {
    const scene = model();
    const places = scene.instances.map((_, i) => ({
      translation: [i, 2, 3] as const,
      rotation: [0, 0, 0, 1] as const,
    }));
    const root = { name: "turned", rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const };
    const bytes = await writeGlb(scene, { stand: { root, places } });
    const [top, ...others] =
      (await silentIo().readBinary(bytes)).getRoot().listScenes()[0]?.listChildren() ?? [];
    expect([top?.getName(), others]).toEqual(["turned", []]);
    const things = top?.listChildren() ?? [];
    expect(things.map((node) => node.getName())).toEqual(scene.instances.map(({ name }) => name));
    expect(things[1]?.getTranslation()).toEqual([1, 2, 3]);
    const [x = 0, y = 0, z = 0] = things[1]?.getWorldTranslation() ?? [];
    expect([x, y, z].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([1, 3, -2]);
  });

  it("a scene without parts can be exported", async () => {
    const empty = { ...model(), parts: [] };
    const document = await silentIo().readBinary(await writeGlb(empty));
    expect(document.getRoot().listMeshes()).toEqual([]);
  });
});
