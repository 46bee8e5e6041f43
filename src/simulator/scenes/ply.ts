import { DataError } from "../../core/errors.js";
import { checkFinite } from "./gltf/mesh.js";
import { readSceneFile } from "./scene-file.js";

/** Triangles of a PLY file with the number of the object that each belongs to. */
export interface AnnotatedMesh {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** One per triangle. */
  readonly objectIds: Int32Array;
}

interface Property {
  readonly name: string;
  readonly type: string;
  /** The type of a list's length, if it is a list. */
  readonly count?: string;
}

interface Element {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly Property[];
}

/** Takes the next value of a type. */
type Next = (type: string) => number;

const SIZES: Readonly<Record<string, number>> = {
  char: 1,
  int8: 1,
  uchar: 1,
  uint8: 1,
  short: 2,
  int16: 2,
  ushort: 2,
  uint16: 2,
  int: 4,
  int32: 4,
  uint: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
};

/**
 * Reads a semantic mesh of Matterport3D, Gibson or Replica: a PLY file whose faces or vertices have an
 * `object_id`. Text and both binary encodings.
 */
export async function readAnnotatedPly(file: string): Promise<AnnotatedMesh> {
  const bytes = await readSceneFile(file);
  const { encoding, elements, body } = readHeader(bytes, file);
  const next =
    encoding === "ascii" ? textValues(bytes.subarray(body)) : binaryValues(bytes, body, encoding);
  const positions: number[] = [];
  const vertexIds: number[] = [];
  const indices: number[] = [];
  const objectIds: number[] = [];
  let hasIds = false;
  try {
    for (const { name, count, properties } of elements) {
      const id = properties.findIndex((one) => one.name === "object_id");
      if (id >= 0 && (name === "face" || name === "vertex")) hasIds = true;
      for (let i = 0; i < count; i++) {
        const values: number[] = [];
        let corners: number[] = [];
        for (const { type, count: length, name: property } of properties) {
          if (length === undefined) {
            values.push(next(type));
            continue;
          }
          const list = Array.from({ length: next(length) }, () => next(type));
          values.push(Number.NaN);
          if (property.startsWith("vertex_ind")) corners = list;
        }
        const value = (key: string) => values[properties.findIndex((one) => one.name === key)];
        if (name === "vertex") {
          positions.push(value("x") ?? 0, value("y") ?? 0, value("z") ?? 0);
          if (id >= 0) vertexIds.push(values[id] ?? 0);
        } else if (name === "face") {
          for (let k = 1; k + 1 < corners.length; k++) {
            indices.push(corners[0] ?? 0, corners[k] ?? 0, corners[k + 1] ?? 0);
            objectIds.push((id >= 0 ? values[id] : vertexIds[corners[0] ?? 0]) ?? 0);
          }
        }
      }
    }
  } catch (error) {
    if (error instanceof RangeError) throw badPly(file, "it is truncated");
    throw error;
  }
  if (!hasIds) throw badPly(file, "neither its faces nor its vertices have an `object_id`");
  const count = positions.length / 3;
  const wrong = indices.find((index) => !(index >= 0 && index < count));
  if (wrong !== undefined) throw badPly(file, `a face refers to vertex ${wrong} of ${count}`);
  const found = Float32Array.from(positions);
  checkFinite(found, file);
  return {
    positions: found,
    indices: Uint32Array.from(indices),
    objectIds: Int32Array.from(objectIds),
  };
}

function readHeader(bytes: Uint8Array, file: string) {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1 << 16));
  const end = /(^|\n)end_header\r?\n/.exec(head);
  if (!/^ply\r?\n/.test(head) || !end) throw badPly(file, "it has no PLY header");
  const elements: { name: string; count: number; properties: Property[] }[] = [];
  let encoding = "";
  for (const line of head.slice(0, end.index).split(/\r?\n/)) {
    const words = line.trim().split(/\s+/);
    const [first, second = "", third = ""] = words;
    if (first === "format") encoding = second;
    else if (first === "element")
      elements.push({ name: second, count: Number(third), properties: [] });
    else if (first === "property") {
      const property =
        second === "list"
          ? { count: third, type: words[3] ?? "", name: words[4] ?? "" }
          : { type: second, name: third };
      elements.at(-1)?.properties.push(property);
    }
  }
  const unknown = elements
    .flatMap(({ properties }) => properties)
    .find(({ type, count }) => !(type in SIZES) || (count !== undefined && !(count in SIZES)));
  if (unknown) throw badPly(file, `the property ${unknown.name} has an unknown type`);
  if (!["ascii", "binary_little_endian", "binary_big_endian"].includes(encoding)) {
    throw badPly(file, `its format is "${encoding}"`);
  }
  return { encoding, elements: elements as Element[], body: end.index + end[0].length };
}

function textValues(bytes: Uint8Array): Next {
  const words = /\S+/g;
  const text = new TextDecoder("latin1").decode(bytes);
  return () => {
    const word = words.exec(text);
    if (!word) throw new RangeError("no more values");
    return Number(word[0]);
  };
}

/** Reading past the end throws a RangeError. */
function binaryValues(bytes: Uint8Array, start: number, encoding: string): Next {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = encoding === "binary_little_endian";
  let at = start;
  return (type) => {
    const here = at;
    const size = SIZES[type] ?? 0;
    at += size;
    if (type === "float" || type === "float32") return view.getFloat32(here, little);
    if (type === "double" || type === "float64") return view.getFloat64(here, little);
    const unsigned = type.startsWith("u");
    if (size === 1) return unsigned ? view.getUint8(here) : view.getInt8(here);
    if (size === 2) return unsigned ? view.getUint16(here, little) : view.getInt16(here, little);
    return unsigned ? view.getUint32(here, little) : view.getInt32(here, little);
  };
}

function badPly(file: string, why: string): DataError {
  return new DataError("bad_semantics", `not a readable semantic mesh: ${why}`, {
    where: file,
    hint: "download it again, or remove it to use the scene without annotations",
  });
}
