import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ConfigError, DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import { exists } from "../source.js";
import type { ConvertTarget } from "./target.js";

/** What is to appear, as far as its place goes. */
type StagedTarget = Pick<ConvertTarget, "name" | "kind" | "checkOut" | "paths" | "owns">;

interface Place {
  readonly target: StagedTarget;
  /** What the result is made of; absent where it is made of nothing on the disk. */
  readonly input?: string | undefined;
  readonly out: string;
  readonly force: boolean;
}

/**
 * Lets `write` fill a temporary folder beside `out`, then moves the result into place. Until then, and
 * when anything fails, what was there before stays as it was.
 */
export async function staged(
  place: Place,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  const { target, out } = place;
  await checkFree(place);
  const folder = `${resolve(out)}.${randomUUID()}.tmp`;
  // Whoever stops the process at once must not find half a result either.
  const clear = () => rmSync(folder, { recursive: true, force: true });
  await writing(out, () => mkdir(folder, { recursive: true }));
  process.once("exit", clear);
  try {
    await writing(out, () => write(folder));
    await writing(out, () =>
      target.kind === "folder" ? moveFolder(folder, out) : moveFiles(folder, target.paths(out)),
    );
  } finally {
    process.off("exit", clear);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a file of the staging folder and brings it to the disk, so that the move is the last word. */
export async function writeSynced(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function checkFree({ target, input, out, force }: Place): Promise<void> {
  target.checkOut?.(out);
  const places = new Set(await Promise.all(target.paths(out).map(real)));
  const sources =
    input === undefined ? [] : await Promise.all([input, ...companions(input)].map(real));
  const [source] = sources;
  const inside =
    source !== undefined && target.kind === "folder" && isWithin(source, await real(out));
  if (inside || sources.some((path) => places.has(path))) {
    throw new ConfigError("out_is_input", "the result would replace what it is made of", {
      where: out,
      hint: "choose another --out",
    });
  }
  const taken: string[] = [];
  for (const path of target.paths(out)) if (await exists(path)) taken.push(path);
  const [first] = taken;
  if (first === undefined) return;
  if (!force) {
    throw new ConfigError("out_exists", "there is something already", {
      where: first,
      hint: "choose another --out, or add --force to replace it",
    });
  }
  const isFolder = (await stat(first)).isDirectory();
  const owned = target.owns ? await target.owns(out) : true;
  if (isFolder === (target.kind === "folder") && owned) return;
  throw new ConfigError(
    "out_is_foreign",
    `what is there is not of the format ${target.name}, and is not replaced`,
    { where: first, hint: "choose another --out, or remove it yourself" },
  );
}

/** The ground truth that is read with an R2R-CE file, wherever it is there. */
function companions(input: string): string[] {
  const stem = input.replace(/\.json(\.gz)?$/, "");
  return stem === input ? [] : [`${stem}_gt.json`, `${stem}_gt.json.gz`];
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}

/** With links resolved, as far as the path exists. */
async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function moveFolder(folder: string, out: string): Promise<void> {
  const old = `${folder}.old`;
  const replaces = await exists(out);
  // A folder cannot be renamed onto one that has something in it.
  if (replaces) await rename(out, old);
  await rename(folder, out).catch(async (error: unknown) => {
    if (replaces) await rename(old, out);
    throw error;
  });
  await rm(old, { recursive: true, force: true });
}

/** Companions first: a reader that sees the dataset must not miss them, or find those of another. */
async function moveFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths.toReversed()) {
    const written = join(folder, basename(path));
    if (await exists(written)) await rename(written, path);
    else await rm(path, { force: true });
  }
}

/** Full disks and folders without permission are the user's to mend: no stack. */
async function writing<T>(out: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof RobotEvalError || !isSystemError(error)) throw error;
    throw new DataError("cannot_write", `cannot be written: ${errorMessage(error)}`, {
      where: out,
      hint: `free some space, or choose another --out than in ${dirname(resolve(out))}`,
      cause: error,
    });
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
