import { dirname, resolve } from "node:path";
import type { GLTF } from "@gltf-transform/core";
import { DataError, errorMessage } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { rangeProblem } from "./gltf-ranges.js";
import { readNamedFile, readSceneFile } from "./scene-file.js";

/** A glTF file taken apart: its JSON, its buffers' bytes, and a way to its images' bytes. */
export interface GltfFile {
  readonly file: string;
  readonly json: GLTF.IGLTF;
  /** As many as `json.buffers`. */
  readonly buffers: readonly Uint8Array[];
  image(index: number): Promise<Uint8Array>;
  /** Everything that was read so far, the file itself first. */
  readonly files: readonly string[];
}

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

export async function openGltf(file: string): Promise<GltfFile> {
  const bytes = await readSceneFile(file);
  const { text, bin } = startsWithMagic(bytes)
    ? splitGlb(bytes, file)
    : { text: bytes, bin: undefined };
  const json = parseGltf(text, file);
  const files = [file];

  async function fromUri(uri: string, what: "buffer" | "texture"): Promise<Uint8Array> {
    if (uri.startsWith("data:")) return fromDataUri(uri, file);
    if (/^[a-z][a-z\d+.-]+:/i.test(uri)) {
      throw new DataError(`missing_${what}`, `the scene's ${what} is on a network: ${uri}`, {
        where: file,
        hint: "nothing is downloaded here: put the file beside the scene and name it by a relative path",
      });
    }
    const path = resolve(dirname(file), decodeUri(uri));
    files.push(path);
    return readNamedFile(path, what, file);
  }

  const buffers: Uint8Array[] = [];
  for (const [i, { uri, byteLength }] of (json.buffers ?? []).entries()) {
    const data = uri === undefined ? bin : await fromUri(uri, "buffer");
    if (data === undefined || data.byteLength < byteLength) {
      throw truncated(
        file,
        `buffer ${i} should have ${byteLength} bytes, there are ${data?.length ?? 0}`,
      );
    }
    buffers.push(data.subarray(0, byteLength));
  }
  const outside = rangeProblem(json);
  if (outside) throw badGltf(file, outside);

  async function image(index: number): Promise<Uint8Array> {
    const { uri, bufferView } = json.images?.[index] ?? {};
    if (uri !== undefined) return fromUri(uri, "texture");
    const view = json.bufferViews?.[bufferView ?? -1];
    const buffer = buffers[view?.buffer ?? -1];
    if (!view || !buffer) throw badGltf(file, `image ${index} has neither a file nor a buffer`);
    const start = view.byteOffset ?? 0;
    return buffer.subarray(start, start + view.byteLength);
  }

  return { file, json, buffers, image, files };
}

export function badGltf(file: string, why: string, cause?: unknown): DataError {
  return new DataError("bad_gltf", `not a readable glTF scene: ${why}`, {
    where: file,
    hint: "a glTF 2.0 file is needed (.glb or .gltf); try it in a glTF validator",
    cause,
  });
}

function truncated(file: string, why: string): DataError {
  return new DataError("truncated_scene", `the scene file is cut short: ${why}`, {
    where: file,
    hint: "copy or download it again",
  });
}

function startsWithMagic(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && dataView(bytes).getUint32(0, true) === GLB_MAGIC;
}

/** GLB: a header of 12 bytes, then chunks: length, type, data. JSON is the first, BIN may follow. */
function splitGlb(
  bytes: Uint8Array,
  file: string,
): { text: Uint8Array; bin: Uint8Array | undefined } {
  const view = dataView(bytes);
  if (bytes.length < 20) throw truncated(file, `it has ${bytes.length} bytes`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw badGltf(file, `its version is ${version}, only 2 is readable`);
  const length = view.getUint32(8, true);
  if (length > bytes.length) {
    throw truncated(file, `its header promises ${length} bytes, there are ${bytes.length}`);
  }
  let text: Uint8Array | undefined;
  let bin: Uint8Array | undefined;
  for (let at = 12; at + 8 <= length; ) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > length) throw truncated(file, `a chunk of ${size} bytes begins at ${at}`);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (type === JSON_CHUNK) text ??= chunk;
    else if (type === BIN_CHUNK) bin ??= chunk;
    at += 8 + size;
  }
  if (!text) throw badGltf(file, "it has no JSON chunk");
  return { text, bin };
}

function parseGltf(text: Uint8Array, file: string): GLTF.IGLTF {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(text));
  } catch (error) {
    throw badGltf(file, `its JSON is broken: ${errorMessage(error)}`, error);
  }
  const asset = isRecord(json) ? json.asset : undefined;
  if (!isRecord(asset)) throw badGltf(file, "it has no `asset`");
  if (typeof asset.version !== "string" || !asset.version.startsWith("2.")) {
    throw badGltf(file, `its version is ${String(asset.version)}, only 2.0 is readable`);
  }
  // The rest is taken at its word; whoever trips over it turns that into a DataError (gltf.ts).
  return json as GLTF.IGLTF;
}

function fromDataUri(uri: string, file: string): Uint8Array {
  const comma = uri.indexOf(",");
  if (comma < 0) throw badGltf(file, "a data URI has no data");
  const body = uri.slice(comma + 1);
  return uri.slice(0, comma).endsWith(";base64")
    ? Buffer.from(body, "base64")
    : Buffer.from(decodeUri(body));
}

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
