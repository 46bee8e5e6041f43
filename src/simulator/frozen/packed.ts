import { gunzipSync } from "node:zlib";
import type { z } from "zod";
import { DataError, errorMessage } from "../../core/errors.js";
import { readChecked } from "./world-files.js";

interface PackedDocument<S extends z.ZodType> {
  readonly file: string;
  readonly sha256: string;
  readonly schema: S;
  /** Code of the errors. */
  readonly code: string;
  /** What the document has, for errors. */
  readonly content: string;
}

/** Unpacked size. 500 rollouts of 200 steps take about 100 MB. */
const MOST_BYTES = 2 ** 29;

/** Reads a compressed JSON document that a world's description names. @throws DataError if it is damaged or cut off */
export async function readPacked<S extends z.ZodType>(
  world: string,
  { file, sha256, schema, code, content }: PackedDocument<S>,
): Promise<z.output<S>> {
  const packed = await readChecked(world, file, sha256);
  let raw: unknown;
  try {
    raw = JSON.parse(gunzipSync(packed, { maxOutputLength: MOST_BYTES }).toString());
  } catch (error) {
    throw badFile(code, `cannot read ${content}: ${errorMessage(error)}`, file, world, error);
  }
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = issue?.path.join(".") ?? content;
  throw badFile(code, `${place || content}: ${issue?.message ?? "invalid"}`, file, world);
}

export function badFile(
  code: string,
  problem: string,
  file: string,
  world: string,
  cause?: unknown,
): DataError {
  return new DataError(code, problem, {
    where: `${file} of ${world}`,
    hint: "write the world again with python -m robot_eval_client.freeze",
    cause,
  });
}
