import { existsSync } from "node:fs";
import { copyFile, link } from "node:fs/promises";
import { extname, join } from "node:path";
import { DataError, errorMessage } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { geometryFiles } from "./geometry.js";
import { RunDirectory } from "./run-directory.js";
import { FILES } from "./run-files.js";
import { makeFolder } from "./run-id.js";

/**
 * Gives another run the files that a line names, and returns the line as it is to stand there. The names
 * are made anew: what a file of somebody else's says must not lead out of the folder.
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
  const film = run.videoOf(line);
  if (film !== null) {
    kept.video = RunDirectory.videoName(line, extname(film).slice(1));
    await makeFolder(join(to, FILES.videos));
    await keep(film, join(to, kept.video));
  }
  const looks = await geometryFiles(run.path, line);
  if (looks.length === 0) delete kept.geometry;
  else await makeFolder(join(to, FILES.geometry));
  for (const name of looks) {
    // Named by their content, so those that are there are the same.
    if (!existsSync(join(to, name))) await keep(join(run.path, name), join(to, name));
  }
  return kept;
}

/** The same file under a second name where the file system can, a copy where it cannot. */
async function keep(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch(() => copyFile(from, to));
  } catch (cause) {
    throw new DataError("missing_file", `cannot be copied: ${errorMessage(cause)}`, {
      where: from,
      cause,
    });
  }
}
