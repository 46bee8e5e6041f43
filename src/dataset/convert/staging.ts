import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { checkOutput, makeFolder } from "../../config/output-path.js";
import { isBelow } from "../../config/paths.js";
import { ConfigError, DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import { renameOver } from "../rename.js";
import { exists } from "../source.js";
import type { ConvertTarget } from "./target.js";

/** The parts of a target that determine its location. */
type StagedTarget = Pick<ConvertTarget, "name" | "kind" | "checkOut" | "paths" | "owns">;

interface StagedOutput {
  readonly target: StagedTarget;
  /** The dataset from which the result is made, if it is on disk. */
  readonly input?: string | undefined;
  readonly out: string;
  readonly force: boolean;
}

/**
 * Lets `write` fill a temporary folder beside `out`, then moves the result into place. If anything fails
 * before that, the existing content stays unchanged.
 */
export async function staged(
  output: StagedOutput,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  const { target, out } = output;
  for (const path of target.paths(out)) checkOutput(path, "file-or-folder");
  await checkFree(output);
  const folder = `${resolve(out)}.${randomUUID()}.tmp`;
  // Also removes the folder if the process exits early, so that no partial result remains.
  const clear = () => rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  process.once("exit", clear);
  try {
    await withWriteErrors(out, () => write(folder));
    await withWriteErrors(out, () =>
      target.kind === "folder" ? moveFolder(folder, out) : moveFiles(folder, target.paths(out)),
    );
  } finally {
    process.off("exit", clear);
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkFree({ target, input, out, force }: StagedOutput): Promise<void> {
  target.checkOut?.(out);
  const outputs = new Set(await Promise.all(target.paths(out).map(resolveLinks)));
  const sources =
    input === undefined ? [] : await Promise.all([input, ...companions(input)].map(resolveLinks));
  const [source] = sources;
  const inside =
    source !== undefined && target.kind === "folder" && isBelow(await resolveLinks(out), source);
  if (inside || sources.some((path) => outputs.has(path))) {
    throw new ConfigError("out_is_input", "the output would overwrite the input", {
      where: out,
      hint: "choose another --out",
    });
  }
  const taken: string[] = [];
  for (const path of target.paths(out)) if (await exists(path)) taken.push(path);
  const [first] = taken;
  if (first === undefined) return;
  if (!force) {
    throw new ConfigError("out_exists", "the output already exists", {
      where: first,
      hint: "choose another --out, or add --force to replace it",
    });
  }
  const isFolder = (await stat(first)).isDirectory();
  const owned = target.owns ? await target.owns(out) : true;
  if (isFolder === (target.kind === "folder") && owned) return;
  throw new ConfigError(
    "out_is_foreign",
    `the existing content is not of format ${target.name} and is not replaced`,
    { where: first, hint: "choose another --out, or remove it yourself" },
  );
}

/** The ground-truth files that are read with an R2R-CE file. */
function companions(input: string): string[] {
  const stem = input.replace(/\.json(\.gz)?$/, "");
  return stem === input ? [] : [`${stem}_gt.json`, `${stem}_gt.json.gz`];
}

/** Resolves links in the part of the path that exists. */
async function resolveLinks(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function moveFolder(folder: string, out: string): Promise<void> {
  const old = `${folder}.old`;
  const replaces = await exists(out);
  // A folder cannot be renamed onto a non-empty one.
  if (replaces) await rename(out, old);
  await rename(folder, out).catch(async (error: unknown) => {
    if (replaces) await rename(old, out);
    throw error;
  });
  await rm(old, { recursive: true, force: true });
}

/** Moves companion files first, so that a reader never finds the dataset without them or with outdated ones. */
async function moveFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths.toReversed()) {
    const written = join(folder, basename(path));
    if (await exists(written)) await renameOver(written, path);
    else await rm(path, { force: true });
  }
}

/** Reports full disks and missing permissions without a stack trace, because the user can fix them. */
async function withWriteErrors<T>(out: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof RobotEvalError || !isSystemError(error)) throw error;
    throw new DataError("cannot_write", `cannot be written: ${errorMessage(error)}`, {
      where: out,
      hint: `free some space, or choose an --out outside ${dirname(resolve(out))}`,
      cause: error,
    });
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
