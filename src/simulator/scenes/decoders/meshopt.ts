/** A compressed buffer view, as EXT_meshopt_compression and KHR_meshopt_compression describe it. */
export interface MeshoptView {
  readonly count: number;
  readonly byteStride: number;
  readonly mode: string;
  readonly filter?: string;
}

/** Largest view that is decoded: the decoder keeps as much memory. */
const MAX_BYTES = 256 * 1024 * 1024;

const MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"];

/** The strides in bytes that each filter accepts. */
const FILTERS: Readonly<Record<string, (stride: number) => boolean>> = {
  NONE: () => true,
  OCTAHEDRAL: (stride) => stride === 4 || stride === 8,
  QUATERNION: (stride) => stride === 8,
  EXPONENTIAL: (stride) => stride % 4 === 0,
  COLOR: (stride) => stride === 4 || stride === 8,
};

/**
 * Decodes a buffer view that was compressed with meshopt.
 *
 * @param expected bytes of the view after decoding, as the file declares
 * @throws Error that says what is wrong with the data
 */
export async function decodeMeshopt(
  bytes: Uint8Array,
  view: MeshoptView,
  expected: number,
): Promise<Uint8Array<ArrayBuffer>> {
  checkView(view, expected);
  const { MeshoptDecoder } = await import("meshoptimizer/decoder");
  await MeshoptDecoder.ready;
  const { count, byteStride, mode, filter } = view;
  const out = new Uint8Array(count * byteStride);
  MeshoptDecoder.decodeGltfBuffer(out, count, byteStride, bytes, mode, filter ?? "NONE");
  return out;
}

/** The decoder does not check these numbers. */
function checkView({ count, byteStride, mode, filter = "NONE" }: MeshoptView, expected: number) {
  const isCount = Number.isInteger(count) && count >= 0;
  if (!isCount || !Number.isInteger(byteStride) || count * byteStride !== expected) {
    throw new Error(
      `it has ${count} elements of ${byteStride} bytes; expected ${expected} bytes in all`,
    );
  }
  if (expected > MAX_BYTES) {
    throw new Error(`it decodes to ${expected} bytes; at most ${MAX_BYTES} are supported`);
  }
  if (!MODES.includes(mode)) throw new Error(`the mode ${mode} is unknown`);
  const accepts = Object.hasOwn(FILTERS, filter) ? FILTERS[filter] : undefined;
  if (!accepts) throw new Error(`the filter ${filter} is unknown`);
  const isStride =
    mode === "ATTRIBUTES"
      ? byteStride > 0 && byteStride % 4 === 0 && byteStride <= 256 && accepts(byteStride)
      : byteStride === 2 || byteStride === 4;
  if (!isStride || (mode === "TRIANGLES" && count % 3 !== 0)) {
    throw new Error(
      `${count} elements of ${byteStride} bytes are not valid for the mode ${mode} and the filter ${filter}`,
    );
  }
}
