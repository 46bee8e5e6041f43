import { randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { cacheFolder, isPrivate } from "../../../../config/cache-folder.js";
import { makeFolder } from "../../../../config/output-path.js";
import { contentHash } from "./content-hash.js";

/** Largest size of all models; those used least recently are removed first. */
const MOST_BYTES = 2 ** 30;
/** Largest size of one model. */
const MOST_MODEL_BYTES = 2 ** 28;
/** Length of the SHA-256 before the model, in bytes. */
const HASH_BYTES = 32;

/** Where a cache keeps its files, and how large they may be in all. */
export interface ModelCacheOptions {
  readonly folder?: string;
  readonly mostBytes?: number;
}

/**
 * Compiled models on disk and what was read from them, by a hash of everything that they were compiled from. Entries have a checksum: a damaged one
 * counts as missing and is written again. A folder that cannot be written, or that others can write, is not used.
 */
export class ModelCache {
  readonly #folder: string;
  readonly #mostBytes: number;

  constructor({ folder = cacheFolder("models"), mostBytes = MOST_BYTES }: ModelCacheOptions = {}) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  read(key: string): Uint8Array | undefined {
    const file = this.#file(key);
    try {
      if (!isPrivate(this.#folder)) return undefined;
      const bytes = readFileSync(file);
      const model = bytes.subarray(HASH_BYTES);
      if (bytes.toString("hex", 0, HASH_BYTES) !== contentHash(model)) return undefined;
      const now = new Date();
      utimesSync(file, now, now);
      return model;
    } catch {
      return undefined;
    }
  }

  write(key: string, model: Uint8Array): void {
    if (model.length > MOST_MODEL_BYTES) return;
    const file = this.#file(key);
    const own = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
    try {
      makeFolder(this.#folder, 0o700);
      if (!isPrivate(this.#folder)) return;
      try {
        const output = openSync(own, "wx", 0o600);
        try {
          // Not `Buffer.concat`, which would copy tens of megabytes.
          writeFileSync(output, Buffer.from(contentHash(model), "hex"));
          writeFileSync(output, model);
        } finally {
          closeSync(output);
        }
        renameSync(own, file);
      } finally {
        rmSync(own, { force: true });
      }
      this.#removeOldest();
    } catch {
      // Without a cache, the model is compiled again the next time.
    }
  }

  #file(key: string): string {
    return join(this.#folder, `${key}.mjb`);
  }

  /** Also removes files that an interrupted process left. */
  #removeOldest(): void {
    const files = readdirSync(this.#folder).map((name) => {
      const path = join(this.#folder, name);
      const { size, mtimeMs } = statSync(path);
      return { path, size, mtimeMs };
    });
    let total = 0;
    for (const { path, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      total += size;
      if (total > this.#mostBytes) rmSync(path, { force: true });
    }
  }
}
