import { dirname, resolve } from "node:path";
import type { GLTF } from "@gltf-transform/core";
import { DataError, errorMessage } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { readNamedFile, readSceneFile } from "../scene-file.js";
import { extension } from "./extensions.js";
import { checkGeometrySize, rangeProblem } from "./ranges.js";

/** A glTF file split into its JSON, the bytes of its buffers and a reader for its images. */
export interface GltfFile {
  readonly file: string;
  readonly json: GLTF.IGLTF;
  /** One entry per entry of `json.buffers`. */
  readonly buffers: readonly Uint8Array[];
  image(index: number): Promise<Uint8Array>;
  /** Every file read so far, the scene file first. */
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
      throw new DataError(`missing_${what}`, `the scene's ${what} is a network address: ${uri}`, {
        where: file,
        hint: "files are not downloaded: put the file next to the scene and refer to it by a relative path",
      });
    }
    const path = resolve(dirname(file), decodeUri(uri));
    files.push(path);
    return readNamedFile(path, what, file);
  }

  const buffers: Uint8Array[] = [];
  for (const [i, { uri, byteLength }] of (json.buffers ?? []).entries()) {
    const data = uri === undefined ? (i === 0 ? bin : undefined) : await fromUri(uri, "buffer");
    if (data === undefined && isFallback(json.buffers?.[i])) {
      buffers.push(new Uint8Array());
      continue;
    }
    if (data === undefined || data.byteLength < byteLength) {
      throw truncated(
        file,
        `buffer ${i} should have ${byteLength} bytes, but has ${data?.length ?? 0}`,
      );
    }
    buffers.push(data.subarray(0, byteLength));
  }
  const outside = rangeProblem(json);
  if (outside) throw badGltf(file, outside);
  checkGeometrySize(json, file);

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

/** A buffer without data: its views are compressed with meshopt and have their data in another buffer. */
function isFallback(buffer: GLTF.IBuffer | undefined): boolean {
  return ["EXT_meshopt_compression", "KHR_meshopt_compression"].some(
    (name) => extension(buffer, name)?.fallback === true,
  );
}

export function badGltf(file: string, why: string, cause?: unknown): DataError {
  return new DataError("bad_gltf", `not a readable glTF scene: ${why}`, {
    where: file,
    hint: "use a glTF 2.0 file (.glb or .gltf) and check it with a glTF validator",
    cause,
  });
}

function truncated(file: string, why: string): DataError {
  return new DataError("truncated_scene", `the scene file is truncated: ${why}`, {
    where: file,
    hint: "copy or download it again",
  });
}

function startsWithMagic(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && dataView(bytes).getUint32(0, true) === GLB_MAGIC;
}

/**
 * A GLB file is a header of 12 bytes followed by chunks of length, type and data. The first chunk is JSON;
 * BIN may follow.
 */
function splitGlb(
  bytes: Uint8Array,
  file: string,
): { text: Uint8Array; bin: Uint8Array | undefined } {
  const view = dataView(bytes);
  if (bytes.length < 20) throw truncated(file, `it has ${bytes.length} bytes`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw badGltf(file, `its version is ${version}; only 2 is supported`);
  const length = view.getUint32(8, true);
  if (length > bytes.length) {
    throw truncated(file, `its header declares ${length} bytes, but the file has ${bytes.length}`);
  }
  let text: Uint8Array | undefined;
  let bin: Uint8Array | undefined;
  for (let at = 12; at + 8 <= length; ) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > length)
      throw truncated(file, `a chunk of ${size} bytes at offset ${at} exceeds the file`);
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
    throw badGltf(file, `its JSON is invalid: ${errorMessage(error)}`, error);
  }
  const asset = isRecord(json) ? json.asset : undefined;
  if (!isRecord(asset)) throw badGltf(file, "it has no `asset`");
  if (typeof asset.version !== "string" || !asset.version.startsWith("2.")) {
    throw badGltf(file, `its version is ${String(asset.version)}; only 2.0 is supported`);
  }
  // The other fields are not validated here. gltf.ts turns an error caused by one of them into a DataError.
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
