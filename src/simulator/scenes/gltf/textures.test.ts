import type { Document, GLTF } from "@gltf-transform/core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Renderer } from "../../render/renderer.js";
import {
  type BasisFixture,
  BLUE,
  corners,
  encodedCorners,
  GREEN,
  RED,
  YELLOW,
} from "../decoders/basis.fixture.js";
import type { SceneDraft } from "../draft.js";
import { loadScene } from "../load.js";
import {
  editGlb,
  floorDocument,
  type GlbJson,
  glb,
  temporaryFolder,
} from "../scene-files.fixture.js";

const write = temporaryFolder();

/** A floor of 4 x 4 m with an unlit texture: its upper left corner at -x, -z, seen from above. */
function textured(image: Uint8Array, mimeType: string, uvScale = 1): Document {
  const document = floorDocument(4);
  const [primitive] = document.getRoot().listMeshes()[0]?.listPrimitives() ?? [];
  const uvs = [0, 0, 0, 1, 1, 1, 1, 0].map((value) => value * uvScale);
  const accessor = document
    .createAccessor()
    .setType("VEC2")
    .setArray(Float32Array.from(uvs))
    .setBuffer(document.getRoot().listBuffers()[0] ?? null);
  const texture = document.createTexture("t").setImage(image).setMimeType(mimeType);
  const material = document.createMaterial("look").setBaseColorTexture(texture);
  primitive?.setAttribute("TEXCOORD_0", accessor).setMaterial(material);
  return document;
}

async function load(
  document: Document,
  edit: (json: GlbJson) => void = () => {},
  maxTextureSize?: number,
) {
  const bytes = editGlb(await glb(document), (json) => {
    for (const material of (json.materials ?? []) as GLTF.IMaterial[]) {
      material.extensions = { KHR_materials_unlit: {} };
    }
    edit(json);
  });
  return loadScene("x", await write("scene.glb", bytes), undefined, { maxTextureSize });
}

/** Moves the image of the first texture into an extension. */
function inExtension(name: string, mimeType: string) {
  return (json: GlbJson) => {
    const [texture] = json.textures as GLTF.ITexture[];
    const [image] = json.images as GLTF.IImage[];
    if (!texture || !image) return;
    texture.extensions = { [name]: { source: texture.source } };
    delete texture.source;
    image.mimeType = mimeType;
    json.extensionsRequired = [name];
  };
}

/** The colours at x and z, looking down from 2 m with a field of view that shows the whole floor. */
function seen(scene: Pick<SceneDraft, "parts">, ...places: [x: number, z: number][]) {
  const rotation = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
  const camera = { width: 200, height: 200, hfovDeg: 90, position: [0, 2, 0] as const, rotation };
  const { rgb } = new Renderer(scene).render(camera, { rgb: true });
  return places.map(([x, z]) => {
    const at = (Math.floor(100 + z * 50) * 200 + Math.floor(100 + x * 50)) * 3;
    return [...(rgb?.subarray(at, at + 3) ?? [])];
  });
}

const FOUR: [number, number][] = [
  [-1.9, -1.9],
  [1.9, -1.9],
  [-1.9, 1.9],
  [1.9, 1.9],
];

function expectNear(found: readonly number[][], expected: readonly (readonly number[])[]) {
  expect(found).toHaveLength(expected.length);
  for (const [i, color] of expected.entries()) {
    color.forEach((value, k) => {
      expect(Math.abs((found[i]?.[k] ?? -99) - value)).toBeLessThan(10);
    });
  }
}

function png(width: number, height: number): Promise<Uint8Array> {
  return sharp(corners(width, height), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

describe("the textures of a glTF scene", () => {
  it.each<BasisFixture>([
    { format: "etc1s", container: "ktx2" },
    { format: "uastc", container: "ktx2" },
    { format: "etc1s", container: "basis" },
    { format: "uastc", container: "basis" },
  ])("the renderer renders $format in $container at the right corners", async (kind) => {
    const [name, mimeType] =
      kind.container === "ktx2"
        ? ["KHR_texture_basisu", "image/ktx2"]
        : ["GOOGLE_texture_basis", "image/x-basis"];
    const image = await encodedCorners(64, 64, kind);
    const scene = await load(textured(image, "image/png"), inExtension(name, mimeType));
    expectNear(seen(scene, ...FOUR), [RED, GREEN, BLUE, YELLOW]);
    expect(scene.warnings).toEqual([]);
  });

  it("the renderer renders WebP at the right corners", async () => {
    const webp = await sharp(await png(64, 64))
      .webp({ lossless: true })
      .toBuffer();
    const edit = inExtension("EXT_texture_webp", "image/webp");
    expectNear(seen(await load(textured(webp, "image/png"), edit), ...FOUR), [
      RED,
      GREEN,
      BLUE,
      YELLOW,
    ]);
  });

  it.each([
    ["repeat", undefined, RED],
    ["clamp", 33071, YELLOW],
    ["mirror", 33648, GREEN],
  ])("a texture beyond its edge is shown by its wrap mode: %s", async (_, wrapS, expected) => {
    // Three images side by side: at 1.1 images from the left, and 0.9 from the top.
    const scene = await load(textured(await png(64, 64), "image/png", 3), (json) => {
      json.samplers = [{ ...(wrapS && { wrapS, wrapT: 33071 }) }];
      for (const texture of json.textures as GLTF.ITexture[]) texture.sampler = 0;
    });
    const [x, z] = [-2 + (4 * 1.1) / 3, -2 + (4 * (wrapS === 33648 ? 0.1 : 1.1)) / 3];
    expectNear(seen(scene, [x, z]), [expected]);
  });

  it.each([
    ["nearest", 9728, [RED, GREEN]],
    [
      "linear",
      9729,
      [
        [143, 112, 0],
        [112, 143, 0],
      ],
    ],
  ] as const)(
    "magnified texels are filtered by the sampler: %s",
    async (_, magFilter, expected) => {
      const scene = await load(textured(await png(2, 2), "image/png"), (json) => {
        json.samplers = [{ magFilter, wrapS: 33071, wrapT: 33071 }];
        for (const texture of json.textures as GLTF.ITexture[]) texture.sampler = 0;
      });
      // An eighth of a texel beside the middle between red and green.
      expectNear(seen(scene, [-0.125, -1.5], [0.125, -1.5]), expected);
    },
  );

  it("a material adds emission, its texture and its strength to the light that a surface reflects", async () => {
    const emissive = (emissiveFactor: number[], strength = 1) =>
      load(textured(new Uint8Array(), "image/png"), (json) => {
        json.images = [];
        json.textures = [];
        json.materials = [
          {
            pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1] },
            emissiveFactor,
            extensions: { KHR_materials_emissive_strength: { emissiveStrength: strength } },
          },
        ];
      });
    // Linear 0.25 is 137 in sRGB.
    expectNear(seen(await emissive([0.25, 0, 0]), [1, 1]), [[137, 0, 0]]);
    expectNear(seen(await emissive([0.125, 1, 0], 2), [1, 1]), [[137, 255, 0]]);
    const image = await png(64, 64);
    const glowing = await load(textured(image, "image/png"), (json) => {
      json.materials = [
        {
          pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1] },
          emissiveFactor: [1, 1, 1],
          emissiveTexture: { index: 0 },
        },
      ];
    });
    expectNear(seen(glowing, ...FOUR), [RED, GREEN, BLUE, YELLOW]);
  });
});

describe("the memory of a scene's textures", () => {
  it("the memory of scene textures is reduced by an option, from the mip levels of the file where it has them", async () => {
    const image = await encodedCorners(64, 64, { format: "uastc", container: "ktx2" });
    const edit = inExtension("KHR_texture_basisu", "image/ktx2");
    const scene = await load(textured(image, "image/png"), edit, 16);
    expect(scene.parts[0]?.material.texture).toMatchObject({ width: 16, height: 16 });
    expect(scene.warnings).toEqual(["1 textures were reduced to at most 16 pixels"]);
    // The encoder repeats the image when it makes mip levels, which mixes colours at its edges.
    const middles = FOUR.map(([x, z]): [number, number] => [Math.sign(x), Math.sign(z)]);
    expectNear(seen(scene, ...middles), [RED, GREEN, BLUE, YELLOW]);
    const plain = await load(textured(await png(64, 32), "image/png"), undefined, 16);
    expect(plain.parts[0]?.material.texture).toMatchObject({ width: 16, height: 8 });
  });

  it("the memory of scene textures is limited: without the option by reducing textures, with it by an error that names it", async () => {
    // 17 images of 2048 x 2048 need more than 64 million pixels.
    const blank = await sharp({
      create: { width: 2048, height: 2048, channels: 3, background: "#204060" },
    })
      .png()
      .toBuffer();
    const document = textured(blank, "image/png");
    const uri = `data:image/png;base64,${Buffer.from(blank).toString("base64")}`;
    const edit = (json: GlbJson) => {
      json.images = Array.from({ length: 17 }, () => ({ uri }));
      json.textures = Array.from({ length: 17 }, (_, source) => ({ source }));
      json.materials = Array.from({ length: 17 }, (_, index) => ({
        pbrMetallicRoughness: { baseColorTexture: { index } },
      }));
    };
    const reduced = await load(document, edit);
    expect(reduced.parts[0]?.material.texture).toMatchObject({ width: 1024, height: 1024 });
    expect(reduced.warnings).toEqual(["17 textures were reduced to at most 1024 pixels"]);
    await expect(load(document, edit, 2048)).rejects.toMatchObject({
      code: "scene_too_large",
      message:
        "the scene's textures, reduced to 2048 pixels, decode to 285 MB or more; at most 268 MB are kept",
      hint: expect.stringContaining("set simulator.max_texture_size"),
    });
  });

  it("the memory of scene textures is not spent on an image of 32768 x 32768 pixels", async () => {
    // The header of a PNG; its data would follow.
    const image = Buffer.from(await png(64, 64));
    image.writeUInt32BE(32_768, 16);
    image.writeUInt32BE(32_768, 20);
    await expect(load(textured(image, "image/png"))).rejects.toMatchObject({
      code: "bad_texture",
      message: expect.stringContaining("32768 x 32768 pixels; at most"),
      where: expect.stringContaining("scene.glb: image 0"),
      hint: expect.stringContaining("resize in.glb out.glb"),
    });
  });
});
