import type { SchemaElement } from "hyparquet";
import type { ColumnSource } from "hyparquet-writer";

/** A column to be written, without gaps. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "float32" | "float64" | "int64" | "string";
  /** Each cell is a list of the type. */
  readonly list?: boolean;
  readonly data: readonly (Scalar | readonly Scalar[])[];
}

type Scalar = number | string;

const LEAVES = {
  float32: { type: "FLOAT" },
  float64: { type: "DOUBLE" },
  int64: { type: "INT64" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
} as const satisfies Record<ParquetColumn["type"], Partial<SchemaElement>>;

/** A Parquet file of these columns, snappy-compressed, as its bytes. The same columns give the same bytes. */
export async function parquetBytes(columns: readonly ParquetColumn[]): Promise<Uint8Array> {
  const { ByteWriter, parquetWrite } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const rows = columns[0]?.data.length ?? 0;
  await parquetWrite({
    writer,
    schema: [{ name: "schema", num_children: columns.length }, ...columns.flatMap(elementsOf)],
    columnData: columns.map(sourceOf),
    // One group: whoever reads an episode reads all of it.
    rowGroupSize: Math.max(1, rows),
  });
  return writer.getBytes();
}

function elementsOf({ name, type, list }: ParquetColumn): SchemaElement[] {
  const leaf = LEAVES[type];
  // Optional, though nothing is missing: Arrow declares its columns so, and readers compare schemas.
  if (!list) return [{ name, ...leaf, repetition_type: "OPTIONAL" }];
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

function sourceOf({ name, type, data }: ParquetColumn): ColumnSource {
  switch (type) {
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
