import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { makeFolder } from "../../config/output-path.js";
import { DataError, errorCode, errorMessage, RobotEvalError } from "../../core/errors.js";
import { stopIfAborted } from "../score/score-options.js";
import { type BundleFile, type BundleManifest, MANIFEST, SIGNATURE } from "./manifest.js";

/** The manifest is held in memory, so its size is limited. Each file takes about 200 bytes in it. */
const LARGEST_MANIFEST = 64 * 2 ** 20;
const LARGEST_SIGNATURE = 64 * 2 ** 10;

/** Limit for the zero padding that some tools append to an archive. */
const PADDING = 2 ** 20;

interface Entry extends AsyncIterable<unknown> {
  readonly header: {
    readonly name: string;
    readonly type?: unknown;
    readonly size?: number | undefined;
  };
}

/** Error codes caused by the disk and not by the bundle. */
const DISK_ERRORS: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EACCES",
  "EROFS",
  "EMFILE",
]);

/** The entries before the files. */
export interface ArchiveHead {
  readonly manifest: Uint8Array;
  readonly signature: Uint8Array | undefined;
}

export interface ReadArchiveOptions {
  /** Parses and checks the head. An error that it throws stops reading before any file is created. */
  readonly onHead: (head: ArchiveHead) => Promise<BundleManifest>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Unpacks the files that the manifest lists into a folder. The manifest comes first, so that anything else is
 * rejected before it takes up disk space: unlisted and duplicate files, files longer than listed, links and
 * devices, and archives that do not end.
 */
export async function readArchive(
  file: string,
  folder: string,
  options: ReadArchiveOptions,
): Promise<void> {
  const { signal } = options;
  await checkIsFile(file);
  const reader = extract();
  const budget = { bytes: LARGEST_MANIFEST + PADDING };
  const source = pipeline(
    createReadStream(file),
    createGunzip(),
    (chunks: AsyncIterable<Uint8Array>) => within(chunks, budget, file),
    reader,
    { signal },
  );
  source.catch(() => {});
  const unpacker = new Unpacker(file, folder, budget, options);
  try {
    for await (const entry of reader) await unpacker.take(entry);
    await source;
    await unpacker.finish();
  } catch (error) {
    reader.destroy();
    const first = await source.catch((cause: unknown) => cause);
    stopIfAborted(signal);
    const known = [error, first].find((one) => one instanceof RobotEvalError);
    if (known) throw known;
    if (DISK_ERRORS.has(errorCode(error))) throw cannotUnpack(folder, errorMessage(error), error);
    throw damaged(file, `the bundle cannot be unpacked: ${errorMessage(error)}`, error);
  }
}

class Unpacker {
  #manifest: Uint8Array | undefined;
  #signature: Uint8Array | undefined;
  /** Listed files that have not been read yet; undefined until the head is read. */
  #missing: Map<string, BundleFile> | undefined;

  constructor(
    private readonly file: string,
    private readonly folder: string,
    private readonly budget: { bytes: number },
    private readonly options: ReadArchiveOptions,
  ) {}

  async take(entry: Entry): Promise<void> {
    const { name, type, size } = entry.header;
    if (type !== "file") throw changed(this.file, `"${name}" is a ${type}, expected a file`);
    if (!this.#manifest) {
      if (name !== MANIFEST)
        throw damaged(this.file, `the first entry is "${name}", expected ${MANIFEST}`);
      this.#manifest = await this.#whole(entry, LARGEST_MANIFEST);
    } else if (name === SIGNATURE && !this.#missing && !this.#signature) {
      this.#signature = await this.#whole(entry, LARGEST_SIGNATURE);
    } else {
      const missing = await this.#listed();
      const listed = missing.get(name);
      missing.delete(name);
      if (!listed) throw changed(this.file, `"${name}" is duplicate or not listed in the manifest`);
      const found = size === listed.bytes ? await this.#save(entry) : undefined;
      if (found !== listed.sha256) {
        throw changed(this.file, `${name} does not match its size or hash in the manifest`);
      }
    }
  }

  async finish(): Promise<void> {
    const [first, ...more] = (await this.#listed()).keys();
    if (first === undefined) return;
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    throw changed(this.file, `${first}${others}: listed in the manifest but missing`);
  }

  async #listed(): Promise<Map<string, BundleFile>> {
    if (this.#missing) return this.#missing;
    if (!this.#manifest) throw damaged(this.file, "the bundle is empty");
    const head = { manifest: this.#manifest, signature: this.#signature };
    const { files } = await this.options.onHead(head);
    this.budget.bytes = files.reduce(
      (sum, { path, bytes }) => sum + spaceOf(path, bytes),
      spaceOf(MANIFEST, head.manifest.length) + spaceOf(SIGNATURE, LARGEST_SIGNATURE) + PADDING,
    );
    this.#missing = new Map(files.map((listed) => [listed.path, listed]));
    return this.#missing;
  }

  async #whole(entry: Entry, largest: number): Promise<Uint8Array> {
    const { name, size } = entry.header;
    if (size === undefined || size > largest)
      throw damaged(this.file, `its ${name} has ${size} bytes`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytesOf(entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** @returns the hash of the file */
  async #save(entry: Entry): Promise<string> {
    const path = join(this.folder, entry.header.name);
    makeFolder(dirname(path));
    const hash = createHash("sha256");
    async function* watched() {
      for await (const chunk of bytesOf(entry)) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await pipeline(watched, createWriteStream(path, { flags: "wx" }));
    return hash.digest("hex");
  }
}

async function* bytesOf(entry: Entry): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
}

/** Size in an archive: whole blocks, a header, and a second header for a long name. */
function spaceOf(path: string, bytes: number): number {
  const blocks = (size: number) => 512 * Math.ceil(size / 512);
  return blocks(bytes) + 3 * 512 + blocks(Buffer.byteLength(path) + 64);
}

async function* within(
  chunks: AsyncIterable<Uint8Array>,
  budget: { readonly bytes: number },
  file: string,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of chunks) {
    seen += chunk.length;
    if (seen > budget.bytes)
      throw changed(file, "the archive unpacks to more than its manifest lists");
    yield chunk;
  }
}

async function checkIsFile(file: string): Promise<void> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new DataError("no_bundle", `cannot read the bundle: ${errorMessage(cause)}`, {
      where: file,
      cause,
    });
  });
  if (found.isFile()) return;
  throw new DataError("no_bundle", "expected a bundle file, got a folder", {
    where: file,
    hint: `for a run directory, use robot-eval bundle ${file} or robot-eval replay ${file}`,
  });
}

export function cannotUnpack(folder: string, why: string, cause?: unknown): DataError {
  return new DataError("cannot_unpack", `the bundle cannot be unpacked here: ${why}`, {
    where: folder,
    hint: "set the environment variable TMPDIR to a folder with more space",
    cause,
  });
}

/** The file is not a bundle, or is truncated. */
export function damaged(file: string, what: string, cause?: unknown): DataError {
  return new DataError("damaged_bundle", what, {
    where: file,
    hint: "check that the file was made by `robot-eval bundle` and copied completely",
    cause,
  });
}

/** The bundle was modified after it was made, so `verify` fails with exit code 4. */
export function changed(file: string, what: string): DataError {
  return new DataError("changed_bundle", what, {
    where: file,
    hint: "the bundle was modified after it was made: obtain the original",
    exitCode: 4,
  });
}
