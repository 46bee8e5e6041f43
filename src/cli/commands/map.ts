import { join } from "node:path";
import { Option } from "commander";
import { makeFolder } from "../../config/output-path.js";
import { DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { writeAtomic } from "../../runs/directory/files.js";
import { findEpisode } from "../../runs/directory/find-episode.js";
import { fileStem, RunDirectory } from "../../runs/directory/run-directory.js";
import { mapOfLine } from "../../runs/episode-map.js";
import { topDownPng, topDownSvg } from "../../simulator/maps/top-down.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say, sayNotes } from "../output.js";

const SHOWN_SKIPPED = 5;

interface MapFlags {
  readonly out?: string;
  readonly format: "svg" | "png";
  readonly failures?: boolean;
  readonly limit?: number;
  readonly scenes?: string;
  readonly json?: boolean;
}

export function mapCommand(): CliCommand {
  return new CliCommand("map")
    .argument("<run>", "run directory")
    .argument("[episode]", "episode key, or an id that only one episode has (default: all)")
    .output("--out <folder>", "output folder (default: maps in the run directory)", "parent")
    .addOption(new Option("--format <format>").choices(["svg", "png"]).default("svg"))
    .option("--failures", "only episodes that failed")
    .option("--limit <n>", "draw at most this many", wholeNumber(1))
    .option("--scenes <folder>", "the scenes' files (default: as in the run's benchmark)")
    .option("--json", "print one JSON document")
    .remarks(`
Examples:
  robot-eval map runs/20260101T120000Z-vln-challenge-random --failures --limit 20
  robot-eval map runs/20260101T120000Z-vln-challenge-random vln/apartment/12/7 --format png`)
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
  const isInterrupted = await withInterrupt("stopping", async (signal) => {
    for await (const line of chosen(run, episode, flags)) {
      if (signal.aborted) break;
      if (flags.limit !== undefined && written.length >= flags.limit) break;
      const { episode_key } = line;
      try {
        written.push({ episode_key, file: await draw(line) });
      } catch (error) {
        // A missing scene must not prevent the maps of the others.
        if (!isAboutEpisode(error)) throw error;
        firstError ??= error;
        skipped.push({ episode_key, code: error.code, why: errorMessage(error) });
      }
    }
    return signal.aborted;
  });
  if (isInterrupted) process.exitCode = 130;
  else if (written.length === 0) throw nothingDrawn(run, flags, firstError);
  if (flags.json) printJson({ run_dir: path, format: flags.format, written, skipped });
  else for (const { file } of written) printData(file);
  say(`${written.length} ${written.length === 1 ? "map" : "maps"} written`);
  const notes = skipped.map(({ episode_key, why }) => `${episode_key} is not drawn: ${why}`);
  sayNotes(notes, SHOWN_SKIPPED);
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
