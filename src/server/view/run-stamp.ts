import { type Stats, statSync } from "node:fs";
import { FILES } from "../../runs/directory/run-files.js";
import { isBeingWritten } from "../../runs/directory/run-lock.js";

const STAMPED = ["info", "summary", "episodes"] as const;

/**
 * A text that changes whenever a file of the run changes, or its writer starts or ends; undefined for a folder that
 * does not look like a run. The calls are synchronous: a local one takes microseconds, a tenth of an asynchronous one.
 *
 * @param path the run directory's real path
 */
export async function runStamp(path: string): Promise<string | undefined> {
  // The lock is checked first, so that a run that ends in between never appears stale.
  const isWritten = statIn(path, "lock") !== undefined && (await isBeingWritten(path));
  const found = STAMPED.map((name) => statIn(path, name));
  const [info, summary, episodes] = found;
  // A new run has an empty episodes.jsonl just before run.json.
  const hasLines = episodes?.isFile() === true && episodes.size > 0;
  if (!info?.isFile() && !summary?.isFile() && !hasLines) return undefined;
  // The change time also covers permissions.
  const parts = found.map((file) => (file ? `${file.ino}.${file.ctimeMs}.${file.size}` : "-"));
  return [...parts, isWritten ? "written" : "idle"].join(" ");
}

export function isIdle(stamp: string): boolean {
  return stamp.endsWith(" idle");
}

/** True if the stamps differ at most by lines added to episodes.jsonl. */
export function isSameDocument(a: string, b: string): boolean {
  const [infoA, summaryA, , writerA] = a.split(" ");
  const [infoB, summaryB, , writerB] = b.split(" ");
  return infoA === infoB && summaryA === summaryB && writerA === writerB;
}

/** Undefined if the file does not exist or cannot be reached. */
function statIn(run: string, name: keyof typeof FILES): Stats | undefined {
  try {
    // `path.join` would take a quarter of a listing's time.
    return statSync(`${run}/${FILES[name]}`, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
