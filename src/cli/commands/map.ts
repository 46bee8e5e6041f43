import { join } from "node:path";
import { Command, Option } from "commander";
import { makeFolder } from "../../config/output-path.js";
import { DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { writeAtomic } from "../../runs/directory/files.js";
import { findEpisode } from "../../runs/directory/find-episode.js";
import { fileStem, RunDirectory } from "../../runs/directory/run-directory.js";
import { mapOfLine } from "../../runs/episode-map.js";
import { topDownPng, topDownSvg } from "../../simulator/maps/top-down.js";
import { interruptible } from "../interrupt.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { OutputOption } from "../output-option.js";

const SHOWN_SKIPPED = 5;

interface MapFlags {
  readonly out?: string;
  readonly format: "svg" | "png";
  readonly failures?: boolean;
  readonly limit?: number;
  readonly scenes?: string;
  readonly json?: boolean;
}

export function mapCommand(): Command {
  return new Command("map")
    .argument("<run>", "run directory")
    .argument("[episode]", "episode key, or an id that only one episode has (default: all)")
    .addOption(
      new OutputOption("--out <folder>", "output folder (default: maps in the run directory)", {
        kind: "parent",
      }),
    )
    .addOption(new Option("--format <format>").choices(["svg", "png"]).default("svg"))
    .option("--failures", "only episodes that failed")
    .option("--limit <n>", "draw at most this many", wholeNumber(1))
    .option("--scenes <folder>", "the scenes' files (default: as in the run's benchmark)")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval map runs/20260101T120000Z-vln-challenge-random --failures --limit 20
  robot-eval map runs/20260101T120000Z-vln-challenge-random vln/apartment/12/7 --format png`,
    )
    .action(map);
}

interface Written {
  readonly episode_key: string;
  readonly file: string;
}

interface Skipped {
  readonly episode_key: string;
  readonly code: string;
  readonly why: string;
}

async function map(path: string, episode: string | undefined, flags: MapFlags): Promise<void> {
  const run = await RunDirectory.open(path);
  const draw = drawerFor(run, await run.info(), flags);
  const written: Written[] = [];
  const skipped: Skipped[] = [];
  let firstError: unknown;
  const interrupt = interruptible("stopping");
  try {
    for await (const line of chosen(run, episode, flags)) {
      if (interrupt.signal.aborted) break;
      if (flags.limit !== undefined && written.length >= flags.limit) break;
      try {
        written.push({ episode_key: line.episode_key, file: await draw(line) });
      } catch (error) {
        // A missing scene must not prevent the maps of the others.
        if (!isAboutEpisode(error)) throw error;
        firstError ??= error;
        const { code } = error;
        skipped.push({ episode_key: line.episode_key, code, why: errorMessage(error) });
      }
    }
  } finally {
    interrupt.release();
  }
  if (interrupt.signal.aborted) process.exitCode = 130;
  else if (written.length === 0) throw nothingDrawn(run, flags, firstError);
  if (flags.json) printJson({ run_dir: path, format: flags.format, written, skipped });
  else for (const { file } of written) printData(file);
  report(written, skipped);
}

async function* chosen(
  run: RunDirectory,
  episode: string | undefined,
  flags: MapFlags,
): AsyncGenerator<EpisodeLine> {
  if (episode !== undefined) {
    yield await findEpisode(run, episode);
    return;
  }
  for await (const line of run.episodes()) {
    if (!flags.failures || line.outcome === "failure") yield line;
  }
}

/** Draws one episode and returns its file. */
function drawerFor(run: RunDirectory, info: RunInfo, { out, format, scenes }: MapFlags) {
  const folder = out ?? run.file("maps");
  return async (line: EpisodeLine): Promise<string> => {
    const picture = await mapOfLine(run, info, line, { permissions: { scenes } });
    const file = join(folder, `${fileStem(line.episode_key, line.repeat)}.${format}`);
    const content = format === "svg" ? topDownSvg(picture) : await topDownPng(picture);
    makeFolder(folder);
    await writeAtomic(file, content, "later");
    return file;
  };
}

function isAboutEpisode(error: unknown): error is RobotEvalError {
  return error instanceof RobotEvalError && error.code !== "cannot_write";
}

function nothingDrawn(run: RunDirectory, flags: MapFlags, firstError: unknown): unknown {
  if (firstError !== undefined) return firstError;
  const what = flags.failures ? "no episode of the run failed" : "the run has no episodes yet";
  return new DataError("no_episodes", `${what}: there is nothing to draw`, { where: run.path });
}

function report(written: readonly Written[], skipped: readonly Skipped[]): void {
  say(`${written.length} ${written.length === 1 ? "map" : "maps"} written`);
  for (const { episode_key, why } of skipped.slice(0, SHOWN_SKIPPED)) {
    say(`note: ${episode_key} is not drawn: ${why}`);
  }
  const more = skipped.length - SHOWN_SKIPPED;
  if (more > 0) say(`note: and ${more} more are not drawn (--json)`);
}
