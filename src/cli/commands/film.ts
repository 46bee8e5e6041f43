import { type FilmReport, filmRun } from "../../evaluator/check/replay/film-run.js";
import { lineName } from "../../runs/directory/line-name.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { list, rejectUnused, wholeNumber } from "../options.js";
import { printData, printJson, say, sayNotes } from "../output.js";
import { type PermissionFlags, permissionOptions, permissionsIn } from "../permission-options.js";

/** Maximum number of episodes that are listed as not filmed. */
const SHOWN_SKIPPED = 5;

interface FilmFlags extends PermissionFlags {
  readonly failures?: boolean;
  readonly repeat?: number;
  readonly limit?: number;
  readonly cameras?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

export function filmCommand(): CliCommand {
  return new CliCommand("film")
    .argument("<run>", "run directory")
    .argument("[episode]", "episode key, or an id that only one episode has (default: all)")
    .option("--failures", "only episodes that failed")
    .option("--repeat <n>", "only this repeat of the episode; also <episode>#<n>", wholeNumber(0))
    .option("--limit <n>", "make at most this many films", wholeNumber(1))
    .option(
      "--cameras <a,b>",
      "colour cameras to show, and `map` (default: the benchmark's cameras and the map)",
      list,
    )
    .output("--out <folder>", "output folder (default: films in the run directory)", "parent")
    .option("--json", "print one JSON document")
    .with(permissionOptions())
    .remarks(`
The recorded actions are simulated again with cameras; the policy is not needed. A film takes a few seconds.

Examples:
  robot-eval film runs/20260101T120000Z-vln-challenge-random --failures --limit 5
  robot-eval film runs/20260101T120000Z-unified-smoke-expert stacking/blocks/1 --cameras rgb_wrist`)
    .action(film);
}

async function film(path: string, episode: string | undefined, flags: FilmFlags): Promise<void> {
  const { failures, repeat, limit, cameras, out, json } = flags;
  if (episode === undefined) {
    const hint = "write the episode before it: robot-eval film <run> <episode> --repeat 1";
    rejectUnused(flags, ["repeat"], "without an episode", hint);
  }
  const report = await withInterrupt("stopping after the film under way", (signal) =>
    filmRun(path, {
      ...permissionsIn(flags),
      ...{ episode, failures, repeat, limit, cameras, out, signal },
      onFilm: ({ file }) => (json ? undefined : printData(file)),
    }),
  );
  if (json) printJson({ run_dir: path, ...report });
  tellRest(report);
  if (report.interrupted) process.exitCode = 130;
}

function tellRest({ films, skipped, notes }: FilmReport): void {
  say(`${films.length} ${films.length === 1 ? "film" : "films"} written`);
  for (const note of notes) say(`note: ${note}`);
  const rest = skipped.map(
    ({ episode_key, repeat, why }) => `${lineName(episode_key, repeat)} is not filmed: ${why}`,
  );
  sayNotes(rest, SHOWN_SKIPPED);
}
