import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { WasmDecoder, withMemoryLimit } from "./wasm-module.js";

/** The part of the package `draco3dgltf`, which has no types, that is used here. */
interface DracoModule {
  readonly HEAPU8: Uint8Array;
  readonly Decoder: new () => Decoder;
  readonly DecoderBuffer: new () => DecoderBuffer;
  readonly Mesh: new () => DracoMesh;
  readonly TRIANGULAR_MESH: number;
  readonly DT_INT8: number;
  readonly DT_UINT8: number;
  readonly DT_INT16: number;
  readonly DT_UINT16: number;
  readonly DT_UINT32: number;
  readonly DT_FLOAT32: number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  destroy(object: object): void;
}

interface DecoderBuffer {
  Init(bytes: Uint8Array, length: number): void;
}

interface DracoMesh {
  readonly ptr: number;
  num_faces(): number;
  num_points(): number;
}

interface Decoder {
  GetEncodedGeometryType(buffer: DecoderBuffer): number;
  DecodeBufferToMesh(
    buffer: DecoderBuffer,
    mesh: DracoMesh,
  ): { ok(): boolean; error_msg(): string };
  GetTrianglesUInt32Array(mesh: DracoMesh, bytes: number, pointer: number): boolean;
  GetAttributeByUniqueId(
    mesh: DracoMesh,
    id: number,
  ): { readonly ptr: number; num_components(): number };
  GetAttributeDataArrayForAllPoints(
    mesh: DracoMesh,
    attribute: object,
    type: number,
    bytes: number,
    pointer: number,
  ): boolean;
}

const decoder = new WasmDecoder(load);

async function load(): Promise<DracoModule> {
  const require = createRequire(import.meta.url);
  // The package's own entry also loads the encoder.
  const start = require("draco3dgltf/draco_decoder_gltf_nodejs.js") as (
    options: object,
  ) => Promise<DracoModule>;
  const wasm = await readFile(require.resolve("draco3dgltf/draco_decoder_gltf.wasm"));
  return start({ wasmBinary: withMemoryLimit(wasm) });
}

/** What the file says about an attribute. */
export interface DracoAttribute {
  /** Draco's own number of the attribute. */
  readonly id: number;
  /** glTF's component type, such as 5126 for floats. */
  readonly componentType: number;
  readonly components: number;
}

export interface DracoGeometry {
  readonly points: number;
  /** Three numbers of vertices per triangle, 4 bytes each. */
  readonly indices: Uint8Array<ArrayBuffer>;
  /** The values of each requested attribute, by its name, in the requested component type. */
  readonly attributes: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

/**
 * Decodes a mesh that was compressed with Draco.
 *
 * @throws Error that says what is wrong with the data
 */
export function decodeDraco(
  bytes: Uint8Array,
  wanted: Readonly<Record<string, DracoAttribute>>,
): Promise<DracoGeometry> {
  return decoder.use((draco) => {
    const made: object[] = [];
    const make = <T extends object>(Type: new () => T): T => {
      const object = new Type();
      made.push(object);
      return object;
    };
    try {
      const reader = make(draco.Decoder);
      const buffer = make(draco.DecoderBuffer);
      buffer.Init(bytes, bytes.length);
      if (reader.GetEncodedGeometryType(buffer) !== draco.TRIANGULAR_MESH) {
        throw new Error("it is not a Draco mesh");
      }
      const mesh = make(draco.Mesh);
      const status = reader.DecodeBufferToMesh(buffer, mesh);
      if (!status.ok() || mesh.ptr === 0) throw new Error(status.error_msg().trim());
      return geometryOf(draco, reader, mesh, wanted);
    } finally {
      for (const object of made) draco.destroy(object);
    }
  });
}

function geometryOf(
  draco: DracoModule,
  reader: Decoder,
  mesh: DracoMesh,
  wanted: Readonly<Record<string, DracoAttribute>>,
): DracoGeometry {
  const points = mesh.num_points();
  const indices = copied(draco, mesh.num_faces() * 12, (size, pointer) =>
    reader.GetTrianglesUInt32Array(mesh, size, pointer),
  );
  const attributes: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const [name, { id, componentType, components }] of Object.entries(wanted)) {
    const attribute = reader.GetAttributeByUniqueId(mesh, id);
    if (attribute.ptr === 0) throw new Error(`it has no attribute ${id}, the mesh's ${name}`);
    if (attribute.num_components() !== components) {
      throw new Error(
        `${name} has ${attribute.num_components()} components; the file declares ${components}`,
      );
    }
    const { type, bytes } = componentOf(draco, componentType);
    attributes[name] = copied(draco, points * components * bytes, (size, pointer) =>
      reader.GetAttributeDataArrayForAllPoints(mesh, attribute, type, size, pointer),
    );
  }
  return { points, indices, attributes };
}

/** Copies the bytes that `fill` writes into the decoder's memory. */
function copied(
  draco: DracoModule,
  size: number,
  fill: (size: number, pointer: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const pointer = draco._malloc(size);
  try {
    if (pointer === 0 || !fill(size, pointer)) throw new Error("its values cannot be read");
    return new Uint8Array(draco.HEAPU8.subarray(pointer, pointer + size));
  } finally {
    draco._free(pointer);
  }
}

function componentOf(draco: DracoModule, type: number): { type: number; bytes: number } {
  const known: Readonly<Record<number, { type: number; bytes: number }>> = {
    5120: { type: draco.DT_INT8, bytes: 1 },
    5121: { type: draco.DT_UINT8, bytes: 1 },
    5122: { type: draco.DT_INT16, bytes: 2 },
    5123: { type: draco.DT_UINT16, bytes: 2 },
    5125: { type: draco.DT_UINT32, bytes: 4 },
    5126: { type: draco.DT_FLOAT32, bytes: 4 },
  };
  const component = known[type];
  if (!component) throw new Error(`the component type ${type} is unknown`);
  return component;
}
