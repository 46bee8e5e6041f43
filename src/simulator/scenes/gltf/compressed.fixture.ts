import { createRequire } from "node:module";
import { Document } from "@gltf-transform/core";
import {
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from "@gltf-transform/extensions";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { silentIo } from "../scene-files.fixture.js";

const require = createRequire(import.meta.url);

/** A wavy floor of `cells` x `cells` squares of 0.1 m with texture coordinates. */
export function wavyDocument(cells = 20): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= cells; z++) {
    for (let x = 0; x <= cells; x++) {
      positions.push(x / 10, Math.sin(x / 3) / 20, z / 10);
      uvs.push(x / cells, z / cells);
      const at = z * (cells + 1) + x;
      if (x === cells || z === cells) continue;
      indices.push(at, at + cells + 1, at + 1, at + 1, at + cells + 1, at + cells + 2);
    }
  }
  const accessor = (type: "VEC2" | "VEC3" | "SCALAR", array: Float32Array | Uint16Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute("POSITION", accessor("VEC3", Float32Array.from(positions)))
    .setAttribute("TEXCOORD_0", accessor("VEC2", Float32Array.from(uvs)))
    .setIndices(accessor("SCALAR", Uint16Array.from(indices)));
  const mesh = document.createMesh("wavy").addPrimitive(primitive);
  document.createScene().addChild(document.createNode("floor").setMesh(mesh));
  return document;
}

export async function dracoGlb(document: Document): Promise<Uint8Array> {
  const draco = require("draco3dgltf") as { createEncoderModule(): Promise<unknown> };
  document.createExtension(KHRDracoMeshCompression).setRequired(true).setEncoderOptions({
    method: KHRDracoMeshCompression.EncoderMethod.EDGEBREAKER,
  });
  return silentIo()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({ "draco3d.encoder": await draco.createEncoderModule() })
    .writeBinary(document);
}

export async function meshoptGlb(document: Document): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({
    method: EXTMeshoptCompression.EncoderMethod.QUANTIZE,
  });
  return silentIo()
    .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization])
    .registerDependencies({ "meshopt.encoder": MeshoptEncoder })
    .writeBinary(document);
}
