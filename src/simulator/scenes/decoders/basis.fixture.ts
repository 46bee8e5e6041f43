import { encodeToKTX2 } from "ktx2-encoder";

export interface BasisFixture {
  readonly format: "etc1s" | "uastc";
  readonly container: "ktx2" | "basis";
  readonly mips?: boolean;
}

export const [RED, GREEN, BLUE, YELLOW] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
] as const;

/** RGBA of an image whose quarters are red and green in the upper half, blue and yellow in the lower. */
export function corners(width: number, height: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [left, right] = y < height / 2 ? [RED, GREEN] : [BLUE, YELLOW];
      out.set(x < width / 2 ? left : right, (y * width + x) * 4);
    }
  }
  return out;
}

/** Encodes `corners`. A .basis file has its rows the other way up, as those of HM3D. */
export async function encodedCorners(
  width: number,
  height: number,
  { format, container, mips = true }: BasisFixture,
): Promise<Uint8Array> {
  // The encoder prints what it does, with the `console.log` that it finds when it starts.
  const { log } = console;
  console.log = () => {};
  try {
    return await encodeToKTX2(new Uint8Array(1), {
      isUASTC: format === "uastc",
      isKTX2File: container === "ktx2",
      isYFlip: container === "basis",
      generateMipmap: mips,
      imageDecoder: async () => ({ width, height, data: corners(width, height) }),
    });
  } finally {
    console.log = log;
  }
}
