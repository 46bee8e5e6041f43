import { describe, expect, it } from "vitest";
import { sampled } from "../../../../test/support/sampled.js";
import { type BasisFixture, BLUE, encodedCorners, GREEN, RED, YELLOW } from "./basis.fixture.js";
import { decodeBasis } from "./basis.js";
import { basisLevels } from "./basis-levels.js";

const KINDS: readonly BasisFixture[] = [
  { format: "etc1s", container: "ktx2" },
  { format: "uastc", container: "ktx2" },
  { format: "etc1s", container: "basis" },
  { format: "uastc", container: "basis" },
];

/** Index of KTX2's first level in the header: offset, length and uncompressed length, 8 bytes each. */
const LEVEL_0 = 80;

const ktx2 = () => encodedCorners(64, 32, { format: "uastc", container: "ktx2" });

/** The same bytes with 32-bit numbers replaced: offset and value. */
function edited(bytes: Uint8Array, ...edits: [at: number, value: number][]): Uint8Array {
  const out = Uint8Array.from(bytes);
  for (const [at, value] of edits) new DataView(out.buffer).setUint32(at, value, true);
  return out;
}

describe("decodeBasis", () => {
  it.each(KINDS)(
    "decodeBasis decodes $format in $container with the top row first",
    async (kind) => {
      const { width, height, data } = await decodeBasis(await encodedCorners(64, 32, kind), 64);
      expect([width, height]).toEqual([64, 32]);
      const at = (x: number, y: number) => [
        ...data.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 3),
      ];
      const found = [at(2, 2), at(61, 2), at(2, 29), at(61, 29)];
      for (const [i, expected] of [RED, GREEN, BLUE, YELLOW].entries()) {
        expected.forEach((value, k) => {
          expect(Math.abs((found[i]?.[k] ?? -99) - value)).toBeLessThan(8);
        });
      }
    },
  );

  it.each(KINDS)(
    "decodeBasis takes the mip level of $format in $container that fits",
    async (kind) => {
      const bytes = await encodedCorners(64, 32, kind);
      expect(basisLevels(bytes, kind.container)).toHaveLength(7);
      expect(await decodeBasis(bytes, 31)).toMatchObject({ width: 16, height: 8 });
    },
  );

  it.each(KINDS)("decodeBasis rejects $format in $container at any truncation", async (kind) => {
    const bytes = await encodedCorners(64, 32, kind);
    for (const share of [0.02, 0.05, 0.1, 0.3, 0.6, 0.9, 0.999]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      await expect(decodeBasis(cut, 64)).rejects.toThrow(/truncated|neither/);
    }
  });

  it("decodeBasis rejects a KTX2 file without data for a mip level", async () => {
    const empty = edited(await ktx2(), [LEVEL_0 + 24 + 8, 0]);
    await expect(decodeBasis(empty, 64)).rejects.toThrow("mip level 1 of 7 has no data");
  });

  it("decodeBasis rejects sizes that the data cannot have before it allocates memory for them", async () => {
    const bytes = await ktx2();
    const large = edited(bytes, [20, 32_768], [24, 32_768], [40, 1]);
    await expect(decodeBasis(large, 2048)).rejects.toThrow("32768 x 32768 texels; at most");
    const unpacked = edited(bytes, [LEVEL_0 + 16, 0x7fff_ffff]);
    await expect(decodeBasis(unpacked, 64)).rejects.toThrow("unpacks to 2147483647 bytes");
    await expect(decodeBasis(edited(bytes, [40, 40]), 64)).rejects.toThrow("40 mip levels");
  });

  it("decodeBasis rejects a KTX2 file of another GPU format, and of cubes", async () => {
    const bytes = await ktx2();
    await expect(decodeBasis(edited(bytes, [12, 145]), 64)).rejects.toThrow("GPU format 145");
    await expect(decodeBasis(edited(bytes, [36, 6]), 64)).rejects.toThrow("6 faces");
  });

  it("decodeBasis decodes a good file after damaged ones of every kind", async () => {
    for (const kind of KINDS) {
      const bytes = await encodedCorners(64, 32, kind);
      const offsets = Array.from({ length: (bytes.length - 100) / 37 }, (_, i) => 100 + 37 * i);
      for (const at of sampled(offsets, 20)) {
        const damaged = Uint8Array.from(bytes);
        damaged.fill(0xff, at, at + 8);
        // Damage to texels may go unnoticed; anything else must be an error, not a crash.
        await decodeBasis(damaged, 64).catch((error: unknown) => {
          expect(error).toBeInstanceOf(Error);
        });
      }
      expect(await decodeBasis(bytes, 64)).toMatchObject({ width: 64 });
    }
  });
});
