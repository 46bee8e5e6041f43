import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { DataError, errorMessage } from "../../core/errors.js";
import type { BundleFile } from "./manifest.js";

/** How long a file is, and its SHA-256. */
export async function fileHash(
  file: string,
  signal?: AbortSignal,
): Promise<Omit<BundleFile, "path">> {
  const hash = createHash("sha256");
  const source = createReadStream(file);
  try {
    await pipeline(source, hash, { signal });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new DataError("missing_file", `cannot be read: ${errorMessage(cause)}`, {
      where: file,
      cause,
    });
  }
  return { bytes: source.bytesRead, sha256: hash.digest("hex") };
}
