import { open } from "node:fs/promises";
import type { SchemaElement } from "hyparquet";
import type { ColumnSource, Writer } from "hyparquet-writer";

/** A column of values to be written, without gaps. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "float32" | "float64" | "int64" | "string";
  /** Each cell is a list of the type. */
  readonly list?: boolean;
  readonly data: readonly (Scalar | readonly Scalar[])[];
}

/** Pictures as Hugging Face's `Image` feature keeps them: a struct of the file's bytes and its name. */
interface ParquetImageColumn {
  readonly name: string;
  readonly type: "image";
  readonly data: readonly ParquetImage[];
}

export interface ParquetImage {
  /** A PNG or JPEG file. */
  readonly bytes: Uint8Array;
  readonly path: string;
}

type Scalar = number | string;
type Column = ParquetColumn | ParquetImageColumn;

export const LEAVES = {
  float32: { type: "FLOAT" },
  float64: { type: "DOUBLE" },
  int64: { type: "INT64" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
} as const satisfies Record<ParquetColumn["type"], Partial<SchemaElement>>;

/** Rows that are compressed and written at a time where there are pictures; Hugging Face's own number. */
const IMAGE_ROWS = 100;

/** A Parquet file of these columns, snappy-compressed, as its bytes. The same columns give the same bytes. */
export async function parquetBytes(columns: readonly Column[]): Promise<Uint8Array> {
  const { ByteWriter } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  await writeTo(writer, columns);
  return writer.getBytes();
}

/** The same into a file that is not there yet, group by group, and brought to the disk. */
export async function writeParquet(path: string, columns: readonly Column[]): Promise<void> {
  const { ByteWriter } = await import("hyparquet-writer");
  const file = await open(path, "wx");
  try {
    const buffer = new ByteWriter();
    const flush = async () => {
      await file.writeFile(buffer.getBytes());
      buffer.index = 0;
    };
    await writeTo(Object.assign(buffer, { flush, finish: flush }), columns);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeTo(writer: Writer, columns: readonly Column[]): Promise<void> {
  const { parquetWrite } = await import("hyparquet-writer");
  const rows = columns[0]?.data.length ?? 0;
  const images = columns.filter(({ type }) => type === "image");
  await parquetWrite({
    writer,
    schema: [{ name: "schema", num_children: columns.length }, ...columns.flatMap(elementsOf)],
    columnData: columns.map(sourceOf),
    // One group without pictures: whoever reads an episode reads all of it.
    rowGroupSize: Math.max(1, images.length > 0 ? Math.min(IMAGE_ROWS, rows) : rows),
    ...(images.length > 0 ? { kvMetadata: [huggingFace(images.map(({ name }) => name))] } : {}),
  });
}

/**
 * LeRobot 2.1 opens the files without saying what is in them. Only by this does `datasets` know that a
 * struct is a picture; it finds out about the other columns by itself.
 */
function huggingFace(images: readonly string[]) {
  const features = Object.fromEntries(images.map((name) => [name, { _type: "Image" }]));
  return { key: "huggingface", value: JSON.stringify({ info: { features } }) };
}

function elementsOf(column: Column): SchemaElement[] {
  const { name } = column;
  // Optional, though nothing is missing: Arrow declares its columns so, and readers compare schemas.
  if (column.type === "image") {
    return [
      { name, repetition_type: "OPTIONAL", num_children: 2 },
      { name: "bytes", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
      { name: "path", ...LEAVES.string, repetition_type: "OPTIONAL" },
    ];
  }
  const leaf = LEAVES[column.type];
  if (!column.list) return [{ name, ...leaf, repetition_type: "OPTIONAL" }];
  return [
    {
      name,
      repetition_type: "OPTIONAL",
      converted_type: "LIST",
      logical_type: { type: "LIST" },
      num_children: 1,
    },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", ...leaf, repetition_type: "OPTIONAL" },
  ];
}

function sourceOf(column: Column): ColumnSource {
  const { name, type, data } = column;
  switch (type) {
    case "image": {
      // A goal's picture is the same in all frames: as a dictionary's only entry it is kept once a group.
      const repeats = data.length > 1 && data.every(({ bytes }) => bytes === data[0]?.bytes);
      const encoding = repeats ? "RLE_DICTIONARY" : "PLAIN";
      // PNG and JPEG are compressed already.
      return { name, data: [...data], encoding, codec: "UNCOMPRESSED" };
    }
    case "int64":
      return { name, data: data.map(bigIntsOf) };
    case "string":
      return { name, data: [...data] };
    default:
      // The writer's dictionaries take -0 for 0.
      return { name, data: [...data], encoding: "PLAIN" };
  }
}

function bigIntsOf(cell: Scalar | readonly Scalar[]): bigint | bigint[] {
  return typeof cell === "object" ? cell.map(BigInt) : BigInt(cell);
}
