import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { withParquet } from "./parquet.js";
import {
  type ParquetColumn,
  type ParquetImage,
  parquetBytes,
  writeParquet,
} from "./parquet-write.js";

const COUNT = 250;
const numbers: ParquetColumn = {
  name: "n",
  type: "int64",
  data: Array.from({ length: COUNT }, (_, i) => i),
};

function testImages(bytes: (i: number) => Uint8Array): ParquetImage[] {
  return Array.from({ length: COUNT }, (_, i) => ({ bytes: bytes(i), path: `${i}.png` }));
}

async function written(data: readonly ParquetImage[]) {
  const path = join(temporaryFolder(), "x.parquet");
  await writeParquet(path, [{ name: "a.b", type: "image", data }, numbers]);
  const file = await asyncBufferFromFile(path);
  return { path, file, metadata: await parquetMetadataAsync(file) };
}

describe("Parquet image column", () => {
  it("a Parquet image column returns the bytes and the name of each image over several row groups", async () => {
    const data = testImages((i) => Uint8Array.of(i, 0, 255));
    const { file, metadata } = await written(data);
    expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([100, 100, 50]);
    const rows = await parquetReadObjects({ file, utf8: false });
    expect(rows.map((row) => row["a.b"])).toEqual(data);
  });

  it("a Parquet image column writes images as a struct of bytes and path, declared as an image in the metadata for Hugging Face", async () => {
    const { metadata } = await written(testImages(() => Uint8Array.of(1)));
    expect(metadata.schema.slice(1, 4)).toMatchObject([
      { name: "a.b", num_children: 2, repetition_type: "OPTIONAL" },
      { name: "bytes", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
      { name: "path", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    ]);
    expect(metadata.schema[2]?.converted_type).toBeUndefined();
    expect(metadata.key_value_metadata).toEqual([
      {
        key: "huggingface",
        value: JSON.stringify({ info: { features: { "a.b": { _type: "Image" } } } }),
      },
    ]);
  });

  it("a Parquet image column stores an image that all rows share once per group", async () => {
    const one = new Uint8Array(10_000).map((_, i) => i);
    const { path, file } = await written(testImages(() => one));
    expect(statSync(path).size).toBeLessThan(3 * one.length + 10_000);
    const rows = await parquetReadObjects({ file, utf8: false, rowStart: 199, rowEnd: 201 });
    for (const row of rows) expect(row["a.b"]?.bytes).toEqual(one);
  });

  it("an image column does not affect reading the other columns", async () => {
    const { path } = await written(testImages((i) => new Uint8Array(i)));
    await withParquet(path, async (file) => {
      expect(file.columns).toEqual(["a.b", "n"]);
      expect(await file.column("n")).toEqual(numbers.data);
    });
  });
});

describe("writeParquet", () => {
  it("writeParquet writes the same bytes as parquetBytes", async () => {
    const path = join(temporaryFolder(), "x.parquet");
    const images = {
      name: "p",
      type: "image",
      data: testImages((i) => new Uint8Array(i)),
    } as const;
    await writeParquet(path, [numbers, images]);
    expect(new Uint8Array(readFileSync(path))).toEqual(await parquetBytes([numbers, images]));
  });

  it("writeParquet does not overwrite an existing file", async () => {
    const path = join(temporaryFolder(), "x.parquet");
    await writeParquet(path, [numbers]);
    await expect(writeParquet(path, [numbers])).rejects.toMatchObject({ code: "EEXIST" });
  });
});
