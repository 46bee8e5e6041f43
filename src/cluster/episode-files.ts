import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { makeFolder } from "../config/output-path.js";
import { DataError } from "../core/errors.js";
import type { EpisodeResult } from "../evaluator/execute/worker-pool.js";
import { writeAtomic } from "../runs/directory/files.js";
import { RunDirectory } from "../runs/directory/run-directory.js";
import type { Queries } from "./database/connect.js";
import type { Finding } from "./result-writer.js";

/** A file of an episode, or the reason why it could not be made. */
export interface EpisodeFile {
  readonly kind: "trajectory" | "film";
  /** Metadata for the run's recorder. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Undefined if only `about` is recorded. */
  readonly bytes: Uint8Array | undefined;
}

/** Bytes of files per statement: many trajectories fit into one, a video needs its own. */
const BYTES_AT_ONCE = 1 << 20;

/** Packs an episode's trajectory and video. */
export async function filesOf({ steps, film }: EpisodeResult): Promise<readonly EpisodeFile[]> {
  const files: EpisodeFile[] = [];
  if (steps) files.push({ kind: "trajectory", about: {}, bytes: await steps.pack() });
  if (film && "problem" in film) files.push({ kind: "film", about: { ...film }, bytes: undefined });
  if (film && "bytes" in film) {
    const { bytes, ...about } = film;
    files.push({ kind: "film", about, bytes });
  }
  return files;
}

/** Files written to the shared folder before their results are recorded. */
export interface SharedFiles {
  pathOf(file: EpisodeFile): string | undefined;
  /** Removes files that no result refers to, because another worker had recorded the episode. */
  removeUnused(queries: Queries): Promise<void>;
}

/**
 * Writes the files of episodes whose run has a shared folder. File names are unique: if an episode runs twice,
 * the second result does not overwrite the file of the recorded one.
 */
export async function writeShared(findings: readonly Finding[]): Promise<SharedFiles> {
  const paths = new Map<EpisodeFile, string>();
  for (const { folder, files, line, batch } of findings) {
    if (folder === null) continue;
    for (const file of files) {
      if (!file.bytes) continue;
      const unique = randomBytes(6).toString("hex");
      const name = `${RunDirectory.trajectoryName(line)}.${file.kind}.${unique}`;
      const path = join(folder, batch.runId, name);
      makeFolder(join(path, ".."));
      await writeAtomic(path, file.bytes);
      paths.set(file, path);
    }
  }
  return {
    pathOf: (file) => paths.get(file),
    removeUnused: async (queries) => {
      if (paths.size === 0) return;
      const all = [...paths.values()];
      const { rows } = await queries.query<{ path: string }>(
        `SELECT path FROM robot_eval.files WHERE run_id = ANY ($1::text[]) AND path = ANY ($2::text[])`,
        [[...new Set(findings.map(({ batch }) => batch.runId))], all],
      );
      const used = new Set(rows.map(({ path }) => path));
      for (const path of all) if (!used.has(path)) await rm(path, { force: true });
    },
  };
}

export async function insertFiles(
  transaction: Queries,
  findings: readonly Finding[],
  shared: SharedFiles,
): Promise<void> {
  let rows: unknown[][] = [];
  let size = 0;
  const insert = async () => {
    if (rows.length === 0) return;
    const places = rows.map((row, i) => `(${row.map((_, k) => `$${i * row.length + k + 1}`)})`);
    await transaction.query(
      `INSERT INTO robot_eval.files (run_id, no, repeat, kind, about, path, bytes) VALUES ${places}`,
      rows.flat(),
    );
    rows = [];
    size = 0;
  };
  for (const { batch, item, files } of findings) {
    const [no, repeat] = item;
    for (const file of files) {
      const path = shared.pathOf(file);
      const bytes = path === undefined ? bufferOf(file.bytes) : null;
      const about = JSON.stringify(file.about);
      rows.push([batch.runId, no, repeat, file.kind, about, path ?? null, bytes]);
      size += bytes?.length ?? 0;
      if (size >= BYTES_AT_ONCE) await insert();
    }
  }
  await insert();
}

/** The same bytes as a Buffer, which the driver requires. */
function bufferOf(bytes: Uint8Array | undefined): Buffer {
  if (!bytes) return Buffer.alloc(0);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A row of the table `files`. */
export interface FileRow {
  readonly kind: EpisodeFile["kind"];
  readonly about: Readonly<Record<string, unknown>>;
  readonly path: string | null;
  readonly bytes: Buffer | null;
}

export async function fileBytes({ path, bytes }: FileRow): Promise<Uint8Array> {
  if (bytes) return bytes;
  if (path === null || !isAbsolute(path))
    throw new Error("the row of a file has neither bytes nor an absolute path");
  try {
    return await readFile(path);
  } catch (cause) {
    throw new DataError("missing_file", "a file of the run is missing or cannot be read", {
      where: path,
      hint: "mount the run's cluster.trajectories_dir on this machine under the same path",
      cause,
    });
  }
}
