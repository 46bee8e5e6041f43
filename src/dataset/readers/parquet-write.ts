import type { KeyValue, SchemaElement } from "hyparquet";
import type { ColumnSource, Writer } from "hyparquet-writer";
import { createSynced } from "../write-file.js";

/** A column of values; a missing one is null. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "float32" | "float64" | "int64" | "string";
  /** True if each cell is a list of `type`; a number is the depth of nested lists. */
  readonly list?: boolean | number;
  readonly data: readonly Cell[];
}

/** Images in the layout of Hugging Face's `Image` feature: a struct of the file's bytes and its name. */
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
type Cell = Scalar | readonly Cell[] | null;
export type Column = ParquetColumn | ParquetImageColumn;

export const LEAVES = {
  float32: { type: "FLOAT" },
  float64: { type: "DOUBLE" },
  int64: { type: "INT64" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
} as const satisfies Record<ParquetColumn["type"], Partial<SchemaElement>>;

/** Rows per group if there are images; the value that Hugging Face uses. */
export const IMAGE_ROWS = 100;

/** Encodes the columns as a snappy-compressed Parquet file. The result is deterministic. */
export async function parquetBytes(columns: readonly Column[]): Promise<Uint8Array> {
  const { ByteWriter } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  await writeTo(writer, columns);
  return writer.getBytes();
}

/** Writes the same content to a new file, group by group, and flushes it to disk. */
export async function writeParquet(path: string, columns: readonly Column[]): Promise<void> {
  const { ByteWriter } = await import("hyparquet-writer");
  await createSynced(path, async (file) => {
    const buffer = new ByteWriter();
    const flush = async () => {
      await file.writeFile(buffer.getBytes());
      buffer.index = 0;
    };
    await writeTo(Object.assign(buffer, { flush, finish: flush }), columns);
  });
}

async function writeTo(writer: Writer, columns: readonly Column[]): Promise<void> {
  const { parquetWrite } = await import("hyparquet-writer");
  const rows = columns[0]?.data.length ?? 0;
  const images = columns.filter(({ type }) => type === "image");
  await parquetWrite({
    writer,
    schema: [{ name: "schema", num_children: columns.length }, ...columns.flatMap(elementsOf)],
    columnData: columns.map(sourceOf),
    // Without images there is one row group, because readers load whole episodes.
    rowGroupSize: Math.max(1, images.length > 0 ? Math.min(IMAGE_ROWS, rows) : rows),
    ...metadataOf(columns),
  });
}

/** Metadata of the file, if there are images or `more`. */
export function metadataOf(columns: readonly Column[], more: readonly KeyValue[] = []) {
  const images = columns.filter(({ type }) => type === "image");
  const own = images.length > 0 ? [huggingFace(images.map(({ name }) => name))] : [];
  const kvMetadata = [...own, ...more];
  return kvMetadata.length > 0 ? { kvMetadata } : {};
}

/**
 * LeRobot 2.1 opens the files without giving a schema. `datasets` needs this metadata to recognise a struct
 * as an image; it infers the other columns itself.
 */
function huggingFace(images: readonly string[]) {
  const features = Object.fromEntries(images.map((name) => [name, { _type: "Image" }]));
  return { key: "huggingface", value: JSON.stringify({ info: { features } }) };
}

export function elementsOf(column: Column): SchemaElement[] {
  const { name } = column;
  // Declared optional although no value is missing: Arrow does the same, and readers compare schemas.
  if (column.type === "image") {
    return [
      { name, repetition_type: "OPTIONAL", num_children: 2 },
      { name: "bytes", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
      { name: "path", ...LEAVES.string, repetition_type: "OPTIONAL" },
    ];
  }
  return [...listsOf(name, Number(column.list ?? 0)), leafOf(column)];
}

/** The groups around the values of a column of nested lists. */
function listsOf(name: string, depth: number): SchemaElement[] {
  return Array.from({ length: depth }, (_, i): SchemaElement[] => [
    {
      name: i === 0 ? name : "element",
      repetition_type: "OPTIONAL",
      converted_type: "LIST",
      logical_type: { type: "LIST" },
      num_children: 1,
    },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
  ]).flat();
}

function leafOf({ name, list, type }: ParquetColumn): SchemaElement {
  return { name: list ? "element" : name, ...LEAVES[type], repetition_type: "OPTIONAL" };
}

export function sourceOf(column: Column): ColumnSource {
  const { name, type, data } = column;
  switch (type) {
    case "image": {
      // A goal image is the same in all frames; dictionary encoding stores it once per row group.
      const repeats = data.length > 1 && data.every(({ bytes }) => bytes === data[0]?.bytes);
      const encoding = repeats ? "RLE_DICTIONARY" : "PLAIN";
      // PNG and JPEG are already compressed.
      return { name, data: [...data], encoding, codec: "UNCOMPRESSED" };
    }
    case "int64":
      return { name, data: data.map(bigIntsOf) };
    case "string":
      return { name, data: [...data] };
    default:
      // The writer's dictionary encoding would turn -0 into 0.
      return { name, data: [...data], encoding: "PLAIN" };
  }
}

type BigInts = bigint | BigInts[] | null;

function bigIntsOf(cell: Cell): BigInts {
  if (cell === null) return null;
  return typeof cell === "object" ? cell.map(bigIntsOf) : BigInt(cell);
}
