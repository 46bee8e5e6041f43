import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { Random } from "../../core/math/random.js";
import { NavMesh } from "./navmesh.js";
import { apartment } from "./scenes.fixture.js";
import { HABITAT_NAVMESH } from "./settings.js";

const FILE_HEADER = 40;
const SETTINGS = 56;
const TILE_HEADER = 8;

/** Version 2 as Habitat writes it: 13 floats and 4 booleans of settings between the header and the tiles. */
function asVersion2(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + SETTINGS);
  out.set(bytes.subarray(0, FILE_HEADER));
  out.set(bytes.subarray(FILE_HEADER), FILE_HEADER + SETTINGS);
  const data = new DataView(out.buffer);
  data.setInt32(4, 2, true);
  for (const [i, value] of Object.values(HABITAT_NAVMESH).entries())
    data.setFloat32(FILE_HEADER + 4 * i, value as number, true);
  out.set([1, 1, 1, 0], FILE_HEADER + 52);
  return out;
}

describe("a .navmesh file", () => {
  let file: Uint8Array;
  let distances: number[];
  const ask = (mesh: NavMesh): number[] => {
    const random = new Random(4);
    return Array.from({ length: 50 }, () =>
      mesh.distance(mesh.randomPoint(random), mesh.randomPoint(random)),
    );
  };

  beforeAll(async () => {
    const mesh = await NavMesh.build(apartment(), HABITAT_NAVMESH, "apartment");
    file = mesh.save();
    distances = ask(mesh);
    mesh.dispose();
  });

  it("a saved navmesh starts with the header that Habitat reads", () => {
    const data = new DataView(file.buffer);
    expect(Buffer.from(file.subarray(0, 4)).toString()).toBe("TESM"); // "MSET", little endian
    expect(data.getInt32(4, true)).toBe(1);
    expect(data.getInt32(8, true)).toBe(1);
    expect(data.getUint32(FILE_HEADER, true)).not.toBe(0);
    expect(data.getInt32(FILE_HEADER + 4, true)).toBe(file.length - FILE_HEADER - TILE_HEADER);
    expect(Buffer.from(file.subarray(48, 52)).toString()).toBe("VAND");
  });

  it.each([1, 2])("a round trip through version %i gives the same navmesh", async (version) => {
    const mesh = await NavMesh.load(version === 1 ? file : asVersion2(file), "x.navmesh");
    expect(ask(mesh)).toEqual(distances);
    expect(Buffer.compare(mesh.save(), file)).toBe(0);
    mesh.dispose();
  });

  it("a navmesh is read from the middle of a larger buffer", async () => {
    const padded = new Uint8Array(file.length + 3);
    padded.set(file, 3);
    const mesh = await NavMesh.load(padded.subarray(3), "x.navmesh");
    expect(ask(mesh)).toEqual(distances);
    mesh.dispose();
  });

  const int = (at: number, value: number) => (bytes: Uint8Array) =>
    new DataView(bytes.buffer).setInt32(at, value, true);
  const float = (at: number, value: number) => (bytes: Uint8Array) =>
    new DataView(bytes.buffer).setFloat32(at, value, true);
  const tile = FILE_HEADER + TILE_HEADER;
  it.each([
    ["another magic", int(0, 0x12345678), "not_a_navmesh"],
    ["version 0", int(4, 0), "navmesh_version"],
    ["version 3", int(4, 3), "navmesh_version"],
    ["version 2 without its settings", int(4, 2), "damaged_navmesh"],
    ["no tiles", int(8, 0), "empty_navmesh"],
    ["a negative number of tiles", int(8, -1), "damaged_navmesh"],
    ["one tile too many", int(8, 2), "truncated_navmesh"],
    ["a billion tiles", int(8, 1e9), "damaged_navmesh"],
    ["tiles without width", float(24, 0), "damaged_navmesh"],
    ["tiles 1e-10 m wide", float(24, 1e-10), "damaged_navmesh"],
    ["an origin that is not a number", float(12, Number.NaN), "damaged_navmesh"],
    ["a wrong origin", float(12, 77), "damaged_navmesh"],
    ["a tile without a reference", int(FILE_HEADER, 0), "damaged_navmesh"],
    ["a tile of negative size", int(FILE_HEADER + 4, -5), "damaged_navmesh"],
    ["a tile of a gigabyte", int(FILE_HEADER + 4, 2 ** 30), "truncated_navmesh"],
    ["a tile with another magic", int(tile, 1), "damaged_navmesh"],
    ["a tile with another version", int(tile + 4, 6), "damaged_navmesh"],
    ["a tile with more polygons", int(tile + 24, 1000), "damaged_navmesh"],
    ["a tile without links", int(tile + 32, 0), "damaged_navmesh"],
    ["bounds that are not numbers", float(tile + 72, Number.NaN), "damaged_navmesh"],
    ["a distant vertex", float(tile + 100, 1e6), "damaged_navmesh"],
    ["a wrong scale of bounding boxes", float(tile + 96, 0.02), "damaged_navmesh"],
  ])("the navmesh reader rejects a .navmesh file with %s", async (_, damage, code) => {
    const bytes = file.slice();
    damage(bytes);
    await expect(NavMesh.load(bytes, "x.navmesh")).rejects.toMatchObject({
      name: "DataError",
      code,
      where: "x.navmesh",
    });
  });

  it("the navmesh reader rejects a .navmesh file with bytes after its last tile", async () => {
    const bytes = new Uint8Array(file.length + 4);
    bytes.set(file);
    await expect(NavMesh.load(bytes, "x.navmesh")).rejects.toThrow(/4 bytes follow/);
  });

  /** Expects either a clear error or a navmesh with plausible results. */
  async function expectErrorOrPlausible(bytes: Uint8Array): Promise<void> {
    let mesh: NavMesh;
    try {
      mesh = await NavMesh.load(bytes, "x.navmesh");
    } catch (error) {
      expect(error).toBeInstanceOf(DataError);
      return;
    }
    const random = new Random(1);
    for (let i = 0; i < 10; i++) {
      const a = mesh.randomPoint(random);
      const b = mesh.randomPoint(random);
      const distance = mesh.distance(a, b);
      expect(distance >= 0).toBe(true);
      expect(mesh.isNavigable(mesh.step(a, b, true), 1)).toBe(true);
      expect(mesh.isNavigable(mesh.step(a, b, false), 1)).toBe(true);
    }
    mesh.surface();
    mesh.dispose();
  }

  it("the navmesh reader rejects a .navmesh file truncated at any byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: file.length - 1 }),
        fc.boolean(),
        async (end, two) => {
          const whole = two ? asVersion2(file) : file;
          await expect(NavMesh.load(whole.slice(0, end), "x.navmesh")).rejects.toBeInstanceOf(
            DataError,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("a .navmesh file with a changed header byte is rejected or works", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: FILE_HEADER + TILE_HEADER + 99 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const bytes = file.slice();
          bytes[at] = (bytes[at] as number) ^ flip;
          await expectErrorOrPlausible(bytes);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a .navmesh file with a changed tile byte is rejected or works", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: FILE_HEADER, max: file.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const bytes = file.slice();
          bytes[at] = (bytes[at] as number) ^ flip;
          await expectErrorOrPlausible(bytes);
        },
      ),
      { numRuns: 300 },
    );
  });
});
