import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { DataError, errorMessage } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import type { WorldGeometry } from "../core/interfaces/simulator.js";
import { writeAtomic } from "./files.js";
import { FILES } from "./run-files.js";
import { makeFolder } from "./run-id.js";

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

const FORMAT = "robot-eval-geometry/1";
/** Of one file when unpacked: somebody may have made one that unpacks without end. */
const MOST_BYTES = 256 * 2 ** 20;
const SHA256 = /^[0-9a-f]{64}$/;

const documentSchema = z.looseObject({
  format: z.literal(FORMAT),
  mjcf: z.string(),
  files: z.record(
    z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/),
    z.string().regex(SHA256),
  ),
  groups: z.array(z.int()).optional(),
});

/** A world as a run keeps it: its model, and the files that the model names. */
export interface RecordedGeometry extends Pick<WorldGeometry, "mjcf" | "groups"> {
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * The worlds of a run by their content: a document for each model, and the files that models name, each once however
 * many name it.
 */
export class GeometryFolder {
  readonly #run: string;
  readonly #onWritten: (path: string) => void;
  readonly #writing = new Map<string, Promise<void>>();
  #folder: Promise<unknown> | undefined;

  /** @param onWritten is told of files that may not yet be brought to the disk */
  constructor(run: string, onWritten: (path: string) => void) {
    this.#run = run;
    this.#onWritten = onWritten;
  }

  /** Gives the name that lines refer to it by, when all of it is there. */
  async save({ mjcf, files, assets, groups }: WorldGeometry): Promise<string> {
    this.#folder ??= makeFolder(join(this.#run, FILES.geometry));
    await this.#folder;
    for (const [sha256, bytes] of assets) void this.#write(assetName(sha256), bytes);
    const document = { format: FORMAT, mjcf, files, ...(groups ? { groups } : {}) };
    const text = JSON.stringify(document);
    const name = `${FILES.geometry}/${sha256Of(text)}.json.gz`;
    // Files that came with another episode may still be on their way.
    for (const sha256 of Object.values(files)) await this.#writing.get(assetName(sha256));
    await this.#write(name, text);
    return name;
  }

  #write(name: string, content: string | Uint8Array): Promise<void> {
    const known = this.#writing.get(name);
    if (known) return known;
    const writing = this.#writeNew(join(this.#run, name), content);
    // Whoever awaits it sees the failure.
    writing.catch(() => {});
    this.#writing.set(name, writing);
    return writing;
  }

  async #writeNew(path: string, content: string | Uint8Array): Promise<void> {
    // Of a run that is taken up again, nothing says that the file is whole and on the disk but for lines that name it.
    if (!(await holds(path, content))) {
      await writeAtomic(path, await gzipAsync(content, { level: 1 }), "later");
    }
    this.#onWritten(path);
  }
}

/** What a line's world looked like. Damage is a DataError that names the place. */
export async function readGeometry(
  run: string,
  line: Pick<EpisodeLine, "geometry">,
): Promise<RecordedGeometry> {
  const { mjcf, groups, files } = await readDocument(run, line);
  const contents: Record<string, Uint8Array> = {};
  for (const [name, sha256] of Object.entries(files)) {
    const path = join(run, assetName(sha256));
    const bytes = await unpacked(path);
    if (sha256Of(bytes) !== sha256) throw damaged(path, "its content is not what its name says");
    contents[name] = bytes;
  }
  return { mjcf, files: contents, ...(groups ? { groups } : {}) };
}

/** All files of a line's world, relative to the run directory; none where it has none, or not all of them any more. */
export async function geometryFiles(
  run: string,
  line: Pick<EpisodeLine, "geometry">,
): Promise<readonly string[]> {
  if (line.geometry === undefined) return [];
  const document = await readDocument(run, line).catch(() => undefined);
  if (!document) return [];
  const names = [line.geometry, ...new Set(Object.values(document.files).map(assetName))];
  return names.every((name) => existsSync(join(run, name))) ? names : [];
}

async function readDocument(run: string, { geometry = "" }: Pick<EpisodeLine, "geometry">) {
  const [folder, name = "", ...rest] = geometry.split("/");
  const [sha256 = "", ...ending] = name.split(".");
  const isOurs = folder === FILES.geometry && rest.length === 0 && SHA256.test(sha256);
  const path = join(run, FILES.geometry, name);
  if (!isOurs || ending.join(".") !== "json.gz") {
    throw damaged(run, `${geometry} is no name that a run gives`);
  }
  const text = Buffer.from(await unpacked(path)).toString("utf8");
  const parsed = documentSchema.safeParse(jsonOf(text, path));
  if (parsed.success && sha256Of(text) === sha256) return parsed.data;
  throw damaged(path, `it is no ${FORMAT} document`);
}

function assetName(sha256: string): string {
  return `${FILES.geometry}/${sha256}.gz`;
}

async function unpacked(path: string): Promise<Uint8Array> {
  try {
    return await gunzipAsync(await readFile(path), { maxOutputLength: MOST_BYTES });
  } catch (cause) {
    throw damaged(path, errorMessage(cause));
  }
}

async function holds(path: string, content: string | Uint8Array): Promise<boolean> {
  if (!existsSync(path)) return false;
  const found = await unpacked(path).catch(() => undefined);
  return found !== undefined && sha256Of(found) === sha256Of(content);
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(path, errorMessage(cause));
  }
}

function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function damaged(where: string, why: string): DataError {
  return new DataError("damaged_geometry", `the world's geometry cannot be read: ${why}`, {
    where,
  });
}
