import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { DataError, errorCode, errorMessage, RobotEvalError } from "../../core/errors.js";
import { stopIfAborted } from "../score-options.js";
import { type BundleFile, type BundleManifest, MANIFEST, SIGNATURE } from "./manifest.js";

/** The first entries are kept in memory, and so must not be large. A file is about 200 bytes there. */
const LARGEST_MANIFEST = 64 * 2 ** 20;
const LARGEST_SIGNATURE = 64 * 2 ** 10;

/** Zeroes that other tools put behind an archive. */
const PADDING = 2 ** 20;

/** A file of the archive while it is read. */
interface Entry extends AsyncIterable<unknown> {
  readonly header: Header;
}

/** What is wrong with the disk and not with the bundle. */
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EACCES", "EROFS", "EMFILE"]);

/** What stands before the files. */
export interface ArchiveHead {
  readonly manifest: Uint8Array;
  readonly signature: Uint8Array | undefined;
}

export interface ReadArchiveOptions {
  /** Says what the head lists; what it throws ends the reading before a file is made. */
  readonly onHead: (head: ArchiveHead) => Promise<BundleManifest>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Unpacks into a folder the files that the manifest lists, as it lists them. The manifest comes first,
 * so that anything else is refused before it takes up space: a file that is not listed, or is
 * there twice, or longer than it says; links and devices; and an archive that goes on without an end.
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
    if (NO_ROOM.has(errorCode(error))) throw cannotUnpack(folder, errorMessage(error), error);
    throw damaged(file, `it cannot be unpacked: ${errorMessage(error)}`, error);
  }
}

class Unpacker {
  readonly #file: string;
  readonly #folder: string;
  readonly #budget: { bytes: number };
  readonly #options: ReadArchiveOptions;
  #manifest: Uint8Array | undefined;
  #signature: Uint8Array | undefined;
  /** Listed and not there yet; undefined until the head is read. */
  #missing: Map<string, BundleFile> | undefined;

  constructor(
    file: string,
    folder: string,
    budget: { bytes: number },
    options: ReadArchiveOptions,
  ) {
    this.#file = file;
    this.#folder = folder;
    this.#budget = budget;
    this.#options = options;
  }

  async take(entry: Entry): Promise<void> {
    const { name, type, size } = entry.header;
    if (type !== "file") throw changed(this.#file, `"${name}" is a ${type}, and not a file`);
    if (!this.#manifest) {
      if (name !== MANIFEST) throw damaged(this.#file, `it begins with "${name}"`);
      this.#manifest = await this.#whole(entry, LARGEST_MANIFEST);
    } else if (name === SIGNATURE && !this.#missing && !this.#signature) {
      this.#signature = await this.#whole(entry, LARGEST_SIGNATURE);
    } else {
      const missing = await this.#listed();
      const listed = missing.get(name);
      missing.delete(name);
      if (!listed) throw changed(this.#file, `"${name}" is not in its manifest, or is there twice`);
      const found = size === listed.bytes ? await this.#save(entry) : undefined;
      if (found !== listed.sha256) {
        throw changed(this.#file, `${name} is not the file that the manifest lists`);
      }
    }
  }

  async finish(): Promise<void> {
    const [first, ...more] = (await this.#listed()).keys();
    if (first === undefined) return;
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    throw changed(this.#file, `${first}${others}: listed in its manifest and missing`);
  }

  async #listed(): Promise<Map<string, BundleFile>> {
    if (this.#missing) return this.#missing;
    if (!this.#manifest) throw damaged(this.#file, "it is empty");
    const head = { manifest: this.#manifest, signature: this.#signature };
    const { files } = await this.#options.onHead(head);
    this.#budget.bytes = files.reduce(
      (sum, { path, bytes }) => sum + spaceOf(path, bytes),
      spaceOf(MANIFEST, head.manifest.length) + spaceOf(SIGNATURE, LARGEST_SIGNATURE) + PADDING,
    );
    this.#missing = new Map(files.map((listed) => [listed.path, listed]));
    return this.#missing;
  }

  async #whole(entry: Entry, largest: number): Promise<Uint8Array> {
    const { name, size } = entry.header;
    if (size > largest) throw damaged(this.#file, `its ${name} has ${size} bytes`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytesOf(entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** @returns its hash */
  async #save(entry: Entry): Promise<string> {
    const path = join(this.#folder, entry.header.name);
    await mkdir(dirname(path), { recursive: true });
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

/** In an archive: whole blocks, with a header before it and a second one for a long name. */
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
    if (seen > budget.bytes) throw changed(file, "it unpacks to more than its manifest says");
    yield chunk;
  }
}

async function checkIsFile(file: string): Promise<void> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new DataError("no_bundle", `there is no such file: ${errorMessage(cause)}`, {
      where: file,
      cause,
    });
  });
  if (found.isFile()) return;
  throw new DataError("no_bundle", "this is a folder, and a bundle is a file", {
    where: file,
    hint: `if it is a run: robot-eval bundle ${file}, or robot-eval replay ${file}`,
  });
}

export function cannotUnpack(folder: string, why: string, cause?: unknown): DataError {
  return new DataError("cannot_unpack", `the bundle cannot be unpacked here: ${why}`, {
    where: folder,
    hint: "name a folder with more room in the environment variable TMPDIR",
    cause,
  });
}

/** What never was a bundle, or did not arrive whole. */
export function damaged(file: string, what: string, cause?: unknown): DataError {
  return new DataError("damaged_bundle", what, {
    where: file,
    hint: "a bundle is what `robot-eval bundle` makes; was it copied to its end?",
    cause,
  });
}

/** What is not as it was when the bundle was made: the answer to the question that `verify` asks. */
export function changed(file: string, what: string): DataError {
  return new DataError("changed_bundle", what, {
    where: file,
    hint: "somebody changed it since it was made",
    exitCode: 4,
  });
}
