import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { DataError } from "../../core/errors.js";
import { floats, latin, numpyPickle, text, torch, zip } from "./torch-zip.fixture.js";
import { readTorchArray } from "./torch-zip.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-torch-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function failure(path: string): Promise<DataError> {
  const error: unknown = await readTorchArray(path).then(
    () => new Error("nothing was thrown"),
    (thrown) => thrown,
  );
  if (error instanceof DataError) return error;
  throw error;
}

describe("readTorchArray", () => {
  it("readTorchArray reads a numpy array, stored or deflated", async () => {
    const expected = { shape: [2, 3], data: Float64Array.of(1, 2, 3, 4, 5, 6.5) };
    expect(await readTorchArray(file("a", torch(numpyPickle())))).toEqual(expected);
    const packed = zip({ "x/data.pkl": numpyPickle() }, "pack");
    expect(await readTorchArray(file("b", packed))).toEqual(expected);
  });

  it("readTorchArray reads a tensor, whose values are outside the pickle", async () => {
    const pickle = Buffer.concat([
      latin(
        "\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nDoubleStorage\n",
      ),
      text("0"),
      text("cpu"),
      latin("K\x06tQK\x02K\x02K\x02\x86K\x02K\x01\x86\x89ccollections\nOrderedDict\n)RtR."),
    ]);
    const data = floats([1, 2, 3, 4, 5, 6]);
    const path = file("c", zip({ "archive/data.pkl": pickle, "archive/data/0": data }));
    expect(await readTorchArray(path)).toEqual({
      shape: [2, 2],
      data: Float64Array.of(3, 4, 5, 6),
    });
  });

  it.each([
    ["a foreign function", { before: latin("cos\nsystem\n") }, 'the name "os.system" at byte 2'],
    ["a name from the stack", { before: latin("\x8c\x02os\x8c\x06system\x93") }, "os.system"],
    ["an object", { before: latin("\x81") }, "NEWOBJ (0x81) at byte 2"],
    ["an unknown instruction", { before: latin("\xff") }, "0xff at byte 2"],
    ["half an array's bytes", { data: floats([1, 2, 3]) }, "the shape [2,3] with 24 bytes"],
    ["a huge shape", { shape: latin("J\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86") }, "the shape"],
    ["a negative shape", { shape: latin("J\xff\xff\xff\xffK\x03\x86") }, "not an integer"],
    ["other numbers", { dtype: "f4" }, "an array of <f4"],
    ["the other byte order", { order: ">" }, "an array of >f8"],
    ["column-major order", { byColumns: "\x88" }, "column-major"],
    ["two values", { before: latin("N") }, "more than one value"],
    ["something after the end", { after: latin(".N") }, "more than one value"],
    ["a lost mark", { before: latin("t") }, "without a start mark"],
    ["a lost memory", { before: latin("h\x05") }, "memo entry 5"],
    ["another codec", { before: latin("c_codecs\nencode\n(NNtR") }, "codec"],
  ])("readTorchArray rejects a pickle with %s", async (_, parts, reason) => {
    const error = await failure(file("bad", torch(numpyPickle(parts))));
    expect(error.code).toBe("unsafe_pickle");
    expect(error.message).toContain(reason);
    expect(error.where).toContain("bad, archive/data.pkl");
  });

  it("readTorchArray bounds repeated work in a pickle", async () => {
    const once = Buffer.concat([
      latin("c_codecs\nencode\n"),
      text("b"),
      text("latin1"),
      latin("\x86R"),
    ]);
    const error = await failure(
      file("work", torch(numpyPickle({ before: Buffer.concat(Array(50).fill(once)) }))),
    );
    expect(error.message).toContain("more calls than an array needs");
  });

  it("readTorchArray does not print nested tuples that double a hundred times", async () => {
    const doubled = latin(`N${"q\x01h\x01\x86".repeat(100)}`);
    const before = Buffer.concat([doubled, text("x"), latin("\x93")]);
    expect((await failure(file("deep", torch(numpyPickle({ before }))))).message).toContain(
      "not a string",
    );
  });

  it("readTorchArray names the missing entry of an archive", async () => {
    expect((await failure(file("no", zip({ "archive/other": latin("x") })))).code).toBe(
      "bad_torch_file",
    );
    expect((await failure(file("not", latin("no zip at all, but long enough")))).code).toBe(
      "truncated_zip",
    );
    expect((await failure(file("empty", latin("")))).code).toBe("empty_file");
    expect((await failure(join(folder, "none"))).code).toBe("missing_file");
  });

  it("readTorchArray rejects an entry that declares more bytes than it has, before allocating", async () => {
    const bytes = zip({ "archive/data.pkl": numpyPickle() }, "pack");
    const at = bytes.lastIndexOf("PK\x01\x02");
    bytes.writeUInt32LE(0x7fffffff, at + 24);
    expect((await failure(file("bomb", bytes))).code).toBe("damaged_zip");
  });

  it("readTorchArray throws for a file truncated at any byte", async () => {
    const whole = torch(numpyPickle());
    for (let length = 1; length < whole.length; length++) {
      expect(await failure(file("cut", whole.subarray(0, length)))).toMatchObject({
        where: expect.stringContaining("cut"),
      });
    }
  });

  it("readTorchArray returns the same numbers or throws if a byte changes", async () => {
    const whole = torch(numpyPickle());
    const expected = await readTorchArray(file("whole", whole));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ by;
          const path = file("changed", bytes);
          const outcome: unknown = await readTorchArray(path).catch((error: unknown) => error);
          if (outcome instanceof Error) {
            expect(outcome).toMatchObject({
              name: "DataError",
              where: expect.stringContaining(path),
            });
          } else expect(outcome).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("readTorchArray never executes a modified pickle with a valid checksum", async () => {
    const pickle = numpyPickle();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(pickle.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (changes) => {
          const bytes = Buffer.from(pickle);
          for (const [at, value] of changes) bytes[at] = value;
          const outcome: unknown = await readTorchArray(file("sealed", torch(bytes))).catch(
            (error: unknown) => error,
          );
          if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "DataError" });
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Computed with Python's zipfile, pickle and numpy 2.3.5: shape, and SHA-256 of the row-major bytes. */
const GOLDEN = [
  [
    "pick_up_the_black_bowl_between_the_plate_and_the_ramekin_and_place_it_on_the_plate.pruned_init",
    [50, 92],
    "f061b67788d541001f3d6872be9a3a3b0b7de3490dac4683e181f9b0703f8e20",
  ],
  [
    "pick_up_the_black_bowl_between_the_plate_and_the_ramekin_and_place_it_on_the_plate.init",
    [100, 92],
    "f499666345a206a6b00847466a6c8ca4c282143bf323358318047cf6caa7b21b",
  ],
  [
    "pick_up_the_black_bowl_in_the_top_drawer_of_the_wooden_cabinet_and_place_it_on_the_plate.pruned_init",
    [50, 92],
    "74fce7c2cb14c136ad220386760d51a34879096dba505677f28cdadb0daa6e6b",
  ],
] as const;

describeWithSharedData("readTorchArray on LIBERO's initial states", () => {
  it.each(GOLDEN)("readTorchArray reads %s bit for bit", async (name, shape, sha256) => {
    const array = await readTorchArray(sharedData(`libero/init_files/libero_spatial/${name}`));
    expect(array.shape).toEqual(shape);
    const bytes = floats([...array.data]);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  });

  it("readTorchArray throws for initial states of LIBERO truncated at any byte", async () => {
    const whole = readFileSync(sharedData(`libero/init_files/libero_spatial/${GOLDEN[0][0]}`));
    for (let length = 1; length < whole.length; length += 1499) {
      expect((await failure(file("states", whole.subarray(0, length)))).code).toBe("truncated_zip");
    }
  });
});
