import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Document, Logger, NodeIO } from "@gltf-transform/core";
import { afterAll } from "vitest";

/** Creates a folder for one test file, which is deleted after its tests. */
export function temporaryFolder(): (name: string, content: Uint8Array | string) => Promise<string> {
  const made: string[] = [];
  afterAll(async () => {
    for (const folder of made) await rm(folder, { recursive: true });
  });
  let root: Promise<string> | undefined;
  return async (name, content) => {
    root ??= mkdtemp(join(tmpdir(), "scenes-")).then((folder) => {
      made.push(folder);
      return folder;
    });
    const file = join(await root, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  };
}

/** A glTF document with a floor of `size` metres in x and z, centred at the origin and facing +y. */
export function floorDocument(size = 4): Document {
  const h = size / 2;
  const document = new Document();
  const buffer = document.createBuffer();
  const positions = Float32Array.of(-h, 0, -h, -h, 0, h, h, 0, h, h, 0, -h);
  const primitive = document
    .createPrimitive()
    .setAttribute(
      "POSITION",
      document.createAccessor().setType("VEC3").setArray(positions).setBuffer(buffer),
    )
    .setIndices(
      document
        .createAccessor()
        .setType("SCALAR")
        .setArray(Uint16Array.of(0, 1, 2, 0, 2, 3))
        .setBuffer(buffer),
    );
  const mesh = document.createMesh("floor").addPrimitive(primitive);
  document.createScene().addChild(document.createNode("floor_1").setMesh(mesh));
  return document;
}

/** The library's reader and writer without its warnings on the terminal. */
export function silentIo(): NodeIO {
  return new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
}

export function glb(document: Document): Promise<Uint8Array> {
  return silentIo().writeBinary(document);
}

export interface GlbJson {
  [key: string]: unknown;
}

/** The same GLB with edited JSON, for content that the library does not write. */
export function editGlb(bytes: Uint8Array, edit: (json: GlbJson) => void): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as GlbJson;
  edit(json);
  let text = JSON.stringify(json);
  while (new TextEncoder().encode(text).length % 4) text += " ";
  const encoded = new TextEncoder().encode(text);
  const rest = bytes.subarray(20 + length);
  const out = new Uint8Array(20 + encoded.length + rest.length);
  out.set(bytes.subarray(0, 20));
  out.set(encoded, 20);
  out.set(rest, 20 + encoded.length);
  const header = new DataView(out.buffer);
  header.setUint32(8, out.length, true);
  header.setUint32(12, encoded.length, true);
  return out;
}
