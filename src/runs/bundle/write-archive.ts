import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { DataError } from "../../core/errors.js";
import type { BundleFile } from "./manifest.js";

/** An archive entry: bytes, or a file that is read when it is written. */
export type Entry = { readonly path: string; readonly bytes: Uint8Array } | FileEntry;

interface FileEntry extends Omit<BundleFile, "bytes"> {
  readonly from: string;
  readonly size: number;
}

/** Constant owner, mode and time, so that the same content gives the same archive. */
const HEADER = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

/** Writes a .tar.gz; streams files instead of holding them in memory. */
export async function writeArchive(
  out: string,
  entries: readonly Entry[],
  signal?: AbortSignal,
): Promise<void> {
  const archive = pack();
  const file = createWriteStream(out, { flags: "wx" });
  const written = pipeline(archive, createGzip(), file, { signal });
  const filled = (async () => {
    for (const entry of entries) {
      const { path: name } = entry;
      if ("bytes" in entry) archive.entry({ ...HEADER, name }, Buffer.from(entry.bytes));
      else {
        const { size } = entry;
        await pipeline(() => unchanged(entry), archive.entry({ ...HEADER, name, size }));
      }
    }
    archive.finalize();
  })().catch((error: unknown) => {
    archive.destroy();
    throw error;
  });
  // A failure on either side destroys the other; prefer the DataError, which states the cause.
  const [filling, writing] = await Promise.allSettled([filled, written]);
  if (filling.status === "rejected" && filling.reason instanceof DataError) throw filling.reason;
  if (writing.status === "rejected") throw writing.reason;
  if (filling.status === "rejected") throw filling.reason;
}

/** Streams a file and throws if it no longer matches the hash in the manifest. */
async function* unchanged({ from, sha256 }: FileEntry) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(from)) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") === sha256) return;
  throw new DataError("file_changed", "the file was changed while it was being bundled", {
    where: from,
    hint: "wait until the file is no longer written, then bundle again",
  });
}
