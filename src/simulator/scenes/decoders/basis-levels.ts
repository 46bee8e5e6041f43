/** One mip level of a KTX2 or .basis file, the largest first. */
export interface FileLevel {
  readonly width: number;
  readonly height: number;
}

const KTX2_MAGIC = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];
const KTX2_HEADER = 80;
/** Bytes of an entry of KTX2's level index: offset, length and uncompressed length, of 8 bytes each. */
const KTX2_LEVEL = 24;
const MAX_LEVELS = 16;

const BASIS_HEADER = 77;
const BASIS_SLICE = 23;

export type BasisContainer = "ktx2" | "basis";

/** The container of a Basis Universal texture; undefined for other images. */
export function basisContainer(bytes: Uint8Array): BasisContainer | undefined {
  if (KTX2_MAGIC.every((byte, i) => bytes[i] === byte)) return "ktx2";
  // "sB" as a little-endian number.
  return bytes[0] === 0x73 && bytes[1] === 0x42 ? "basis" : undefined;
}

/**
 * The mip levels that a file declares, checked against its length. The transcoder trusts some of these numbers,
 * so they are read without it.
 *
 * @throws Error that says what is wrong with the file
 */
export function basisLevels(bytes: Uint8Array, container: BasisContainer): readonly FileLevel[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return container === "ktx2" ? ktx2Levels(view) : sliceLevels(view);
}

/** KTX 2.0 specification, section 3. */
function ktx2Levels(view: DataView): FileLevel[] {
  if (view.byteLength < KTX2_HEADER) throw truncated(KTX2_HEADER, view);
  const u32 = (at: number) => view.getUint32(at, true);
  const [format, width, height, depth] = [u32(12), u32(20), u32(24), u32(28)];
  if (format !== 0) {
    throw new Error(
      `the KTX2 file has the GPU format ${format} (VkFormat); glTF allows Basis Universal only`,
    );
  }
  const [layers, faces] = [u32(32), u32(36)];
  if (width === 0 || height === 0 || depth > 1 || layers > 1 || faces !== 1) {
    throw new Error(
      `expected one two-dimensional image; received ${width} x ${height} x ${depth}, ${layers} layers, ${faces} faces`,
    );
  }
  const count = Math.max(1, u32(40));
  if (count > MAX_LEVELS) throw new Error(`the file declares ${count} mip levels`);
  if (view.byteLength < KTX2_HEADER + count * KTX2_LEVEL) {
    throw truncated(KTX2_HEADER + count * KTX2_LEVEL, view);
  }
  return Array.from({ length: count }, (_, level) => {
    const at = KTX2_HEADER + level * KTX2_LEVEL;
    const [offset, length, unpacked] = [0, 8, 16].map((part) =>
      Number(view.getBigUint64(at + part, true)),
    ) as [number, number, number];
    if (length === 0) throw new Error(`mip level ${level} of ${count} has no data`);
    if (offset + length > view.byteLength) throw truncated(offset + length, view);
    const size = levelSize(width, height, level);
    // UASTC, the larger of both formats, has 16 bytes per block of 4 x 4 texels; ETC1S declares 0 here.
    const blocks = Math.ceil(size.width / 4) * Math.ceil(size.height / 4);
    if (unpacked > blocks * 16) {
      throw new Error(
        `mip level ${level} of ${size.width} x ${size.height} unpacks to ${unpacked} bytes`,
      );
    }
    return size;
  });
}

/** The first image of a .basis file; see `basisu_file_headers.h` of Basis Universal. */
function sliceLevels(view: DataView): FileLevel[] {
  if (view.byteLength < BASIS_HEADER) throw truncated(BASIS_HEADER, view);
  const slices = view.getUint32(13, true) >>> 8;
  const start = view.getUint32(65, true);
  const end = start + slices * BASIS_SLICE;
  if (end > view.byteLength) throw truncated(end, view);
  const levels: FileLevel[] = [];
  for (let at = start; at < end; at += BASIS_SLICE) {
    const image = view.getUint32(at, true) & 0xffffff;
    const level = view.getUint8(at + 3);
    const dataEnd = view.getUint32(at + 13, true) + view.getUint32(at + 17, true);
    if (dataEnd > view.byteLength) throw truncated(dataEnd, view);
    // A texture with alpha has two slices per level.
    if (image !== 0 || level < levels.length) continue;
    if (level > levels.length) throw new Error(`mip level ${levels.length} is missing`);
    levels.push({ width: view.getUint16(at + 5, true), height: view.getUint16(at + 7, true) });
  }
  if (levels.length === 0) throw new Error("the .basis file has no image");
  return levels;
}

/** The largest level whose sides are at most `side`, else the smallest. */
export function levelWithin(levels: readonly FileLevel[], side: number): number {
  const fitting = levels.findIndex(({ width, height }) => Math.max(width, height) <= side);
  return fitting < 0 ? levels.length - 1 : fitting;
}

function levelSize(width: number, height: number, level: number): FileLevel {
  return {
    width: Math.max(1, Math.floor(width / 2 ** level)),
    height: Math.max(1, Math.floor(height / 2 ** level)),
  };
}

function truncated(needed: number, { byteLength }: DataView): Error {
  return new Error(`the file is truncated: it has ${byteLength} of at least ${needed} bytes`);
}
