import { Document } from "@gltf-transform/core";
import { floorDocument, glb } from "../../scene-files.fixture.js";

/** Writes a file below a test's folder and returns its path. */
type Write = (name: string, content: Uint8Array | string) => Promise<string> | string;

/** Linear colours of the left and the right half of the floor. */
export const RED = [1, 0, 0];
export const GREEN = [0, 1, 0];

/**
 * A floor of 4 m in x and y with z up, as scans have, in two halves: x below and above 0. With `colors` its
 * vertices are coloured; with a `png` its texture coordinates show the left and the right pixel.
 */
export async function halves({ colors, png }: { colors?: number[][]; png?: Uint8Array } = {}) {
  const document = new Document();
  const buffer = document.createBuffer();
  const xs = [-2, 0, 0, -2, 0, 2, 2, 0];
  const ys = [-2, -2, 2, 2, -2, -2, 2, 2];
  const accessor = (type: "VEC2" | "VEC3" | "SCALAR", array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute(
      "POSITION",
      accessor("VEC3", Float32Array.from(xs.flatMap((x, i) => [x, ys[i] ?? 0, 0]))),
    )
    .setIndices(accessor("SCALAR", Uint16Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7)));
  if (colors) {
    const list = xs.flatMap((_, i) => colors[i < 4 ? 0 : 1] ?? []);
    primitive.setAttribute("COLOR_0", accessor("VEC3", Float32Array.from(list)));
  }
  if (png) {
    const uvs = Float32Array.from(xs.flatMap((x) => [(x + 2) / 4, 0.5]));
    primitive.setAttribute("TEXCOORD_0", accessor("VEC2", uvs));
    const texture = document.createTexture().setImage(png).setMimeType("image/png");
    primitive.setMaterial(document.createMaterial().setBaseColorTexture(texture));
  }
  const mesh = document.createMesh().addPrimitive(primitive);
  document.createScene().addChild(document.createNode("scan").setMesh(mesh));
  return glb(document);
}

export const HM3D =
  'HM3D Semantic Annotations\n3,FF0000,"dining chair",0\n8,00ff00,"rug, round",1\n';

/** A scan with annotations: a chair and a rug. Returns the scan. */
export async function hm3d(write: Write, folder: string, text = HM3D, mesh?: Uint8Array) {
  await write(`${folder}/a.semantic.txt`, text);
  await write(`${folder}/a.semantic.glb`, mesh ?? (await halves({ colors: [RED, GREEN] })));
  return write(`${folder}/a.basis.glb`, await halves());
}

/** A data set of Habitat whose scene has the scan as its stage and a table of 0.5 m at x = -1.5, z = -1.5. */
export async function placedOn(write: Write, folder: string) {
  await hm3d(write, `${folder}/stages`);
  await write(`${folder}/objects/table.glb`, await glb(floorDocument(0.5)));
  const json = (name: string, content: object) =>
    write(`${folder}/${name}`, JSON.stringify(content));
  await json("own.scene_dataset_config.json", {
    stages: { paths: { ".json": ["stages/*.stage_config.json"] } },
    objects: { paths: { ".json": ["objects/*.object_config.json"] } },
    scene_instances: { paths: { ".json": ["scenes/*.scene_instance.json"] } },
  });
  await json("stages/a.stage_config.json", {
    render_asset: "a.basis.glb",
    up: [0, 0, 1],
    front: [0, 1, 0],
  });
  await json("objects/table.object_config.json", { render_asset: "table.glb" });
  return json("scenes/flat.scene_instance.json", {
    stage_instance: { template_name: "stages/a" },
    object_instances: [{ template_name: "objects/table", translation: [-1.5, 0.2, -1.5] }],
  });
}
