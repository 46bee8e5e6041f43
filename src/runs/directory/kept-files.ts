import { existsSync } from "node:fs";
import { copyFile, link } from "node:fs/promises";
import { extname, join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import { DataError, errorMessage } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { geometryFiles } from "./geometry.js";
import { checkFolderFile } from "./plain-files.js";
import { RunDirectory } from "./run-directory.js";
import { FILES } from "./run-files.js";

/**
 * Copies the files that a line names into another run and returns the line for that run. File names are generated
 * again, so that a foreign line cannot name a path outside the folder.
 *
 * @param to the other run's folder
 */
export async function keepFiles(
  run: RunDirectory,
  line: EpisodeLine,
  to: string,
): Promise<EpisodeLine> {
  const kept: { -readonly [K in keyof EpisodeLine]: EpisodeLine[K] } = { ...line };
  const steps = run.trajectoryOf(line);
  if (steps !== null) {
    kept.trajectory = RunDirectory.trajectoryName(line);
    await keep(steps, join(to, kept.trajectory));
  }
  const video = run.videoOf(line);
  if (video !== null) {
    kept.video = RunDirectory.videoName(line, extname(video).slice(1));
    makeFolder(join(to, FILES.videos));
    await keep(video, join(to, kept.video));
  }
  const geometry = await geometryFiles(run.path, line);
  if (geometry.length === 0) delete kept.geometry;
  else makeFolder(join(to, FILES.geometry));
  for (const name of geometry) {
    // Named by content hash, so an existing file is equal.
    if (!existsSync(join(to, name))) await keep(join(run.path, name), join(to, name));
  }
  return kept;
}

/** Creates a hard link, or a copy if the file system has no links. */
async function keep(from: string, to: string): Promise<void> {
  await checkFolderFile(from);
  try {
    await link(from, to).catch(() => copyFile(from, to));
  } catch (cause) {
    throw new DataError("missing_file", `cannot be copied: ${errorMessage(cause)}`, {
      where: from,
      cause,
    });
  }
}
