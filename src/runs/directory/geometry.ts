import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { makeFolder } from "../../config/output-path.js";
import { DataError, errorMessage } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { WorldGeometry } from "../../core/interfaces/simulator.js";
import { checkJsonSize } from "../../dataset/readers/json-limits.js";
import { writeAtomic } from "./files.js";
import { parseDocument } from "./json-lines.js";
import { checkFolderFile, readPlain } from "./plain-files.js";
import { FILES } from "./run-files.js";

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

const FORMAT = "robot-eval-geometry/1";
/** Maximum unpacked size of a file; guards against decompression bombs. */
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

/** The stored geometry of a world: its model and the files that the model names. */
export interface RecordedGeometry extends Pick<WorldGeometry, "mjcf" | "groups"> {
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * Stores the geometry of a run's worlds by content hash: one document per model, and each file that models name
 * once.
 */
export class GeometryFolder {
  readonly #writing = new Map<string, Promise<void>>();
  #hasFolder = false;

  /** @param onWritten called with files that are not yet synced to disk */
  constructor(
    private readonly run: string,
    private readonly onWritten: (path: string) => void,
  ) {}

  /** Resolves to the name for episode lines when all files are written. */
  async save({ mjcf, files, assets, groups }: WorldGeometry): Promise<string> {
    if (!this.#hasFolder) makeFolder(join(this.run, FILES.geometry));
    this.#hasFolder = true;
    for (const [sha256, bytes] of assets) void this.#write(assetName(sha256), bytes);
    const document = { format: FORMAT, mjcf, files, ...(groups ? { groups } : {}) };
    const text = JSON.stringify(document);
    const name = `${FILES.geometry}/${sha256Of(text)}.json.gz`;
    // Files sent with another episode may still be in the process of being written.
    for (const sha256 of Object.values(files)) await this.#writing.get(assetName(sha256));
    await this.#write(name, text);
    return name;
  }

  #write(name: string, content: string | Uint8Array): Promise<void> {
    const known = this.#writing.get(name);
    if (known) return known;
    const writing = this.#writeNew(join(this.run, name), content);
    // Awaited later; until then a rejection must not count as unhandled.
    writing.catch(() => {});
    this.#writing.set(name, writing);
    return writing;
  }

  async #writeNew(path: string, content: string | Uint8Array): Promise<void> {
    // In a resumed run the file may be incomplete, since only lines guarantee synced files.
    if (!(await holds(path, content))) {
      await writeAtomic(path, await gzipAsync(content, { level: 1 }), "later");
    }
    this.onWritten(path);
  }
}

/** Reads the geometry of a line's world. @throws DataError if it is damaged */
export async function readGeometry(
  run: string,
  line: Pick<EpisodeLine, "geometry">,
): Promise<RecordedGeometry> {
  const { mjcf, groups, files } = await readDocument(run, line);
  const contents: Record<string, Uint8Array> = {};
  for (const [name, sha256] of Object.entries(files)) {
    const path = join(run, assetName(sha256));
    const bytes = await unpacked(path);
    if (sha256Of(bytes) !== sha256)
      throw damaged(path, "its content does not have the hash in its name");
    contents[name] = bytes;
  }
  return { mjcf, files: contents, ...(groups ? { groups } : {}) };
}

/** Paths of a line's geometry files relative to the run directory; empty if there is none or a file is missing. */
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
    throw damaged(run, `${geometry} is not a valid geometry name`);
  }
  const bytes = await unpacked(path);
  checkJsonSize(bytes, path);
  const text = Buffer.from(bytes).toString("utf8");
  const parsed = documentSchema.safeParse(parseDocument(text, "damaged_geometry", path));
  if (parsed.success && sha256Of(text) === sha256) return parsed.data;
  throw damaged(path, `it is not a ${FORMAT} document`);
}

function assetName(sha256: string): string {
  return `${FILES.geometry}/${sha256}.gz`;
}

async function unpacked(path: string): Promise<Uint8Array> {
  await checkFolderFile(path);
  try {
    return await gunzipAsync(await readPlain(path), { maxOutputLength: MOST_BYTES });
  } catch (cause) {
    throw cause instanceof DataError ? cause : damaged(path, errorMessage(cause));
  }
}

async function holds(path: string, content: string | Uint8Array): Promise<boolean> {
  if (!existsSync(path)) return false;
  const found = await unpacked(path).catch(() => undefined);
  return found !== undefined && sha256Of(found) === sha256Of(content);
}

function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function damaged(where: string, why: string): DataError {
  return new DataError("damaged_geometry", `the world's geometry cannot be read: ${why}`, {
    where,
  });
}
