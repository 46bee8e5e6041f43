import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { DataError, errorMessage } from "../../core/errors.js";
import type { BundleFile } from "./manifest.js";

/** Size and SHA-256 of a file. */
export type FileHash = Omit<BundleFile, "path">;

/** Caches hashes, because several scenes may share a large file. */
export function fileHashes(): (file: string) => Promise<FileHash> {
  const known = new Map<string, Promise<FileHash>>();
  return (file) => {
    const hash = known.get(file) ?? fileHash(file);
    known.set(file, hash);
    return hash;
  };
}

export async function fileHash(file: string): Promise<FileHash> {
  const hash = createHash("sha256");
  const source = createReadStream(file);
  try {
    await pipeline(source, hash);
  } catch (cause) {
    throw new DataError("missing_file", `cannot be read: ${errorMessage(cause)}`, {
      where: file,
      cause,
    });
  }
  return { bytes: source.bytesRead, sha256: hash.digest("hex") };
}
