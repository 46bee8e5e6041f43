import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorMessage, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { readMjcf } from "../manipulation/mjcf/files.js";
import type { ModelFiles } from "../manipulation/physics/model/compile.js";
import { checkFileSize } from "../manipulation/physics/model/size.js";
import { checkWithin, readWithin } from "../scenes/within.js";
import { descriptionSchema, type FrozenDescription } from "./description.js";

interface DescribedWorld {
  readonly path: string;
  readonly description: FrozenDescription;
  /** Checksum of the description, which has those of all files except the episodes. */
  readonly sha256: string;
}

/** A frozen world as it is on disk, its files checked. */
export interface FrozenWorld extends DescribedWorld {
  /** MuJoCo's path of the model among the files. */
  readonly main: string;
  readonly files: ModelFiles;
}

/** Hint of all errors about damaged worlds. */
const REWRITE = "write the world again with python -m robot_eval_client.freeze";

/** Reads a world. A frozen world is a stranger's file: everything it names must lie in its own folder. */
export function readFrozenWorld(path: string): Promise<FrozenWorld> {
  return readWithin(dirname(path), async () => {
    const described = await readDescribed(path);
    const { description } = described;
    const { file, sha256, assets } = description.model;
    const model = join(dirname(path), file);
    const { main, files } = await readMjcf(model);
    for (const [name, content] of Object.entries(files)) {
      const own = basename(name);
      const expected = name === main ? sha256 : assets[own];
      checkHash(content, expected, name === main ? model : join(dirname(path), "assets", own));
    }
    return { ...described, main, files };
  });
}

/** Reads only the description of a world. */
export function readFrozenDescription(path: string): Promise<DescribedWorld> {
  return readWithin(dirname(path), () => readDescribed(path));
}

async function readDescribed(path: string): Promise<DescribedWorld> {
  const bytes = await readPlain(path);
  return { path, description: descriptionOf(bytes, path), sha256: hashOf(bytes) };
}

/** Reads a file that a description names, with its checksum. */
export function readChecked(world: string, file: string, sha256: string): Promise<Uint8Array> {
  return readWithin(dirname(world), async () => {
    const path = join(dirname(world), file);
    const bytes = await readPlain(path);
    checkHash(bytes, sha256, path);
    return bytes;
  });
}

async function readPlain(path: string): Promise<Uint8Array> {
  await checkWithin(path);
  try {
    const bytes = await readFile(path);
    checkFileSize(path, bytes.length, bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(
      "missing_file",
      `cannot read a file of a frozen world: ${errorMessage(error)}`,
      {
        where: path,
        hint: REWRITE,
        cause: error,
      },
    );
  }
}

function descriptionOf(bytes: Uint8Array, where: string): FrozenDescription {
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const problem = `not the description of a frozen world: ${errorMessage(error)}`;
    throw new DataError("bad_frozen", problem, { where, hint: REWRITE, cause: error });
  }
  const result = descriptionSchema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = issue?.path.map(String) ?? [];
  const value = place.reduce<unknown>(
    (at, key) => (isRecord(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined),
    raw,
  );
  throw new DataError(
    "bad_frozen",
    `${place.join(".") || "the description"}: ${issue?.message ?? "invalid"}, got ${show(value)}`,
    { where, hint: REWRITE },
  );
}

function checkHash(bytes: Uint8Array, expected: string | undefined, path: string): void {
  const found = hashOf(bytes);
  if (found === expected) return;
  throw new DataError(
    "changed_file",
    expected === undefined
      ? "the model of a frozen world names a file that its description does not list"
      : `a file of a frozen world was changed: its SHA-256 is ${found}, not ${expected}`,
    { where: path, hint: `restore the file, or ${REWRITE}` },
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
