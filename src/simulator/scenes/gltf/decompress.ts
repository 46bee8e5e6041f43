import type { GLTF } from "@gltf-transform/core";
import { DataError, errorMessage } from "../../../core/errors.js";
import { decodeDraco } from "../decoders/draco.js";
import { decodeMeshopt } from "../decoders/meshopt.js";
import { extension } from "./extensions.js";
import { badGltf, type GltfFile } from "./file.js";
import { COMPONENTS } from "./ranges.js";

type Geometry = Pick<GltfFile, "json" | "buffers">;

const MESHOPT = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
const DRACO = "KHR_draco_mesh_compression";

/** The same scene with geometry that is not compressed: decoded data is appended as further buffers. */
export async function decompress(gltf: GltfFile): Promise<Geometry> {
  return withoutDraco(gltf, await withoutMeshopt(gltf));
}

async function withoutMeshopt({ file, json, buffers }: GltfFile): Promise<Geometry> {
  const out = new Appended(json, buffers);
  for (const [i, view] of (json.bufferViews ?? []).entries()) {
    const compressed = MESHOPT.map((name) => extension(view, name)).find(Boolean);
    if (!compressed) {
      const isEmpty = buffers[view.buffer]?.length === 0 && view.byteLength > 0;
      if (isEmpty) throw badGltf(file, `buffer view ${i} lies in a buffer without data`);
      continue;
    }
    const where = `${file}: buffer view ${i}`;
    const { buffer, count, byteStride, mode, filter } = compressed;
    const start = Number(compressed.byteOffset ?? 0);
    const end = start + Number(compressed.byteLength);
    const bytes = buffers[Number(buffer)];
    if (!bytes || !(start >= 0 && start <= end && end <= bytes.length)) {
      throw badGeometry("meshopt", where, "its compressed data exceeds its buffer");
    }
    const layout = {
      count: Number(count),
      byteStride: Number(byteStride),
      mode: String(mode),
      ...(filter !== undefined && { filter: String(filter) }),
    };
    const data = await decoding("meshopt", where, () =>
      decodeMeshopt(bytes.subarray(start, end), layout, view.byteLength),
    );
    out.views[i] = { ...out.place(data), ...(view.byteStride && { byteStride: view.byteStride }) };
  }
  return out.geometry();
}

async function withoutDraco({ file }: GltfFile, { json, buffers }: Geometry): Promise<Geometry> {
  const out = new Appended(json, buffers);
  for (const [m, mesh] of (json.meshes ?? []).entries()) {
    for (const [p, primitive] of mesh.primitives.entries()) {
      const compressed = extension(primitive, DRACO);
      const position = json.accessors?.[primitive.attributes.POSITION ?? -1];
      // With a buffer view, the accessor holds a copy of the data for readers without Draco.
      if (!compressed || position?.bufferView !== undefined) continue;
      await decodePrimitive(
        primitive,
        compressed,
        `${file}: mesh ${mesh.name ?? m}, primitive ${p}`,
      );
    }
  }
  return out.geometry();

  async function decodePrimitive(
    primitive: GLTF.IMeshPrimitive,
    compressed: Readonly<Record<string, unknown>>,
    where: string,
  ): Promise<void> {
    const view = json.bufferViews?.[Number(compressed.bufferView)];
    const buffer = buffers[view?.buffer ?? -1];
    if (!view || !buffer) throw badGeometry("Draco", where, "its compressed data is missing");
    const start = view.byteOffset ?? 0;
    const ids = compressed.attributes as Readonly<Record<string, number>>;
    const wanted = Object.fromEntries(
      Object.entries(ids).flatMap(([name, id]) => {
        const accessor = json.accessors?.[primitive.attributes[name] ?? -1];
        if (!accessor) return [];
        const { componentType, type } = accessor;
        return [[name, { id, componentType, components: COMPONENTS[type] ?? 0 }]];
      }),
    );
    const decoded = await decoding("Draco", where, () =>
      decodeDraco(buffer.subarray(start, start + view.byteLength), wanted),
    );
    for (const [name, data] of Object.entries(decoded.attributes)) {
      const index = primitive.attributes[name] ?? -1;
      checkCount(name, json.accessors?.[index]?.count, decoded.points, where);
      out.fill(index, data, decoded.points);
    }
    if (primitive.indices === undefined) return;
    const corners = decoded.indices.length / 4;
    checkCount("indices", json.accessors?.[primitive.indices]?.count, corners, where);
    out.fill(primitive.indices, decoded.indices, corners, UINT32);
  }
}

const UINT32 = 5125;

function checkCount(name: string, declared: number | undefined, found: number, where: string) {
  // Some encoders split vertices after the file's counts were written; the compressed data is right.
  if (Math.abs((declared ?? 0) - found) <= found / 16) return;
  throw badGeometry(
    "Draco",
    where,
    `the file declares ${declared} elements of ${name}; the compressed data has ${found}`,
  );
}

/** Collects decoded data. The file's own lists are not changed. */
class Appended {
  readonly views: GLTF.IBufferView[];
  readonly #accessors: GLTF.IAccessor[];
  readonly #buffers: Uint8Array[];

  constructor(
    private readonly json: GLTF.IGLTF,
    buffers: readonly Uint8Array[],
  ) {
    this.views = [...(json.bufferViews ?? [])];
    this.#accessors = [...(json.accessors ?? [])];
    this.#buffers = [...buffers];
  }

  place(data: Uint8Array): GLTF.IBufferView {
    return { buffer: this.#buffers.push(data) - 1, byteOffset: 0, byteLength: data.length };
  }

  fill(accessor: number, data: Uint8Array, count: number, componentType?: number): void {
    const { byteOffset: _, ...declared } = this.#accessors[accessor] as GLTF.IAccessor;
    this.#accessors[accessor] = {
      ...declared,
      count,
      bufferView: this.views.push(this.place(data)) - 1,
      ...(componentType !== undefined && { componentType: componentType as typeof UINT32 }),
    };
  }

  geometry(): Geometry {
    const json = { ...this.json, bufferViews: this.views, accessors: this.#accessors };
    return { json, buffers: this.#buffers };
  }
}

async function decoding<T>(codec: string, where: string, decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw badGeometry(codec, where, errorMessage(error), error);
  }
}

function badGeometry(codec: string, where: string, why: string, cause?: unknown): DataError {
  return new DataError(
    "bad_geometry",
    `geometry compressed with ${codec} cannot be decoded: ${why}`,
    {
      where,
      hint: "the file is damaged: export or download it again",
      cause,
    },
  );
}
