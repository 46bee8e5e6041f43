import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { sampled } from "../../test/support/sampled.js";
import { DataError } from "../core/errors.js";
import { readText } from "./readers/bytes.js";
import { readSample } from "./source.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-source-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function failure(path: string): Promise<DataError> {
  const error = await readText(path).then(
    () => new Error("nothing was thrown"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DataError) return error;
  throw error;
}

const text = JSON.stringify(Array.from({ length: 40 }, (_, i) => ({ id: i, x: Math.sin(i) })));
const packed = gzipSync(text);

describe("readText", () => {
  it("readText decompresses gzip, whatever the file name", async () => {
    expect(await readText(file("plain-name.json", packed))).toBe(text);
    expect(await readText(file("gzip-name.json.gz", text))).toBe(text);
  });

  it("readText drops a byte order mark", async () => {
    expect(await readText(file("bom.json", "\ufeff[]"))).toBe("[]");
  });

  it("readText reads concatenated gzip members and zero padding", async () => {
    const joined = Buffer.concat([packed, packed, Buffer.alloc(100)]);
    expect(await readText(file("joined.gz", joined))).toBe(text + text);
  });

  it("readText reports a gzip truncated at any byte, and where the file ends", async () => {
    const lengths = Array.from({ length: packed.length - 1 }, (_, i) => i + 1);
    for (const length of sampled(lengths, 60)) {
      const error = await failure(file("cut.json.gz", packed.subarray(0, length)));
      expect(error.code).toBe("truncated_gzip");
      expect(error.message).toContain(`byte ${length}`);
      expect(error.where).toContain("cut.json.gz");
    }
  });

  it("readText never returns other text for a gzip with a changed byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: packed.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const bytes = Buffer.from(packed);
          bytes[at] = (bytes[at] ?? 0) ^ change;
          const outcome = await readText(file("changed.gz", bytes)).catch(
            (error: unknown) => error,
          );
          // Some header bytes carry no data: time, flags, operating system.
          if (typeof outcome === "string") expect(outcome).toBe(text);
          else
            expect(outcome).toMatchObject({
              name: "DataError",
              where: expect.stringContaining("changed.gz"),
            });
        },
      ),
    );
  });

  it("readText names the byte after which a gzip is damaged", async () => {
    const noise = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * i * 7919) % 251));
    const bytes = gzipSync(noise);
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
    const error = await failure(file("damaged.gz", bytes));
    expect(error.code).toBe("damaged_gzip");
    expect(error.message).toMatch(/byte \d+ of \d+/);
  });

  it("readText reports a second member whose start is damaged", async () => {
    const second = Buffer.from(packed);
    second[0] = 0;
    const error = await failure(file("second.gz", Buffer.concat([packed, second])));
    expect(error.code).toBe("damaged_gzip");
    expect(error.message).toContain(`byte ${packed.length} `);
  });

  it("readText suggests the right file if one is missing", async () => {
    const near = join(folder, "near");
    mkdirSync(near);
    writeFileSync(join(near, "val_seen.json.gz"), packed);
    const error = await failure(join(near, "val_sen.json.gz"));
    expect(error.code).toBe("missing_file");
    expect(error.hint).toContain('did you mean "val_seen.json.gz"');
    const other = await failure(join(near, "benchmark.yaml"));
    expect(other.hint).toBe(`the folder ${near} has: val_seen.json.gz`);
    const nowhere = await failure(join(folder, "no", "such.json"));
    expect(nowhere.hint).toContain("does not exist either");
  });

  it("readText rejects a folder", async () => {
    expect((await failure(folder)).code).toBe("is_directory");
  });

  it("readText rejects empty files, gzipped or not", async () => {
    expect((await failure(file("empty.json", ""))).code).toBe("empty_file");
    expect((await failure(file("empty.json.gz", gzipSync("")))).code).toBe("empty_file");
  });

  it("readText rejects binary content", async () => {
    expect((await failure(file("binary", Buffer.from([0x89, 0x48, 0xff])))).code).toBe(
      "bad_encoding",
    );
  });
});

describe("readSample", () => {
  it("readSample returns the start of a large file and the values within it", async () => {
    const large = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ id: i, name: "ü" })));
    for (const content of [large, gzipSync(large)]) {
      const sample = await readSample(file("large.json", content));
      expect(sample.text.length).toBeLessThanOrEqual(64 * 1024);
      expect(large.startsWith(sample.text)).toBe(true);
      expect(sample.head).toEqual(expect.arrayContaining([{ id: 0, name: "ü" }]));
    }
  });

  it("a sample does not end in half a character", async () => {
    const sample = await readSample(file("halved.json", JSON.stringify("ü".repeat(50_000))));
    expect(sample.text.endsWith("ü")).toBe(true);
  });

  it("readSample distinguishes a folder from a file", async () => {
    expect(await readSample(folder)).toMatchObject({ isDirectory: true, text: "" });
  });

  it("readSample accepts a truncated gzip, which the reader reports later", async () => {
    const sample = await readSample(file("half.json.gz", packed.subarray(0, packed.length / 2)));
    expect(sample.head).toEqual(expect.arrayContaining([{ id: 0, x: 0 }]));
  });
});
