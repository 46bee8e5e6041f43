import type { ReplayReport } from "../../evaluator/check/replay/documents.js";
import { replayRun } from "../../evaluator/check/replay/replay-run.js";
import { lineName } from "../../runs/directory/line-name.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { rejectUnused, wholeNumber } from "../options.js";
import { printResult, say, sayNotes } from "../output.js";
import { type PermissionFlags, permissionOptions, permissionsIn } from "../permission-options.js";
import { differenceLines, errorLines, tellProgress } from "../text/check-text.js";

/** Maximum number of episodes that are listed as not replayed. */
const SHOWN_SKIPPED = 5;

interface ReplayFlags extends PermissionFlags {
  readonly repeat?: number;
  readonly workers?: number;
  readonly json?: boolean;
}

export function replayCommand(): CliCommand {
  return new CliCommand("replay")
    .argument("<run>", "run directory")
    .argument("[episode]", "episode key, or an id that only one episode has (default: all)")
    .option("--repeat <n>", "only this repeat of the episode; also <episode>#<n>", wholeNumber(0))
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--json", "print one JSON document")
    .with(permissionOptions())
    .remarks(`
Exits with 4 if anything differs, else with 3 if an episode could not be replayed. A run of another user starts no program, loads no plugin and reads no folder but its
own, unless you name them.

Examples:
  robot-eval replay runs/20260101T120000Z-vln-challenge-random
  robot-eval replay runs/20260101T120000Z-vln-challenge-random vln/apartment/100/1 --json`)
    .action(replay);
}

async function replay(
  path: string,
  episode: string | undefined,
  flags: ReplayFlags,
): Promise<void> {
  const { repeat, workers = "auto" } = flags;
  if (episode === undefined) {
    const hint = "write the episode before it: robot-eval replay <run> <episode> --repeat 1";
    rejectUnused(flags, ["repeat"], "without an episode", hint);
  }
  const report = await withInterrupt("stopping after the episodes under way", (signal) =>
    replayRun(path, {
      ...permissionsIn(flags),
      ...{ episode, repeat, workers, signal },
      onProgress: tellProgress("replayed"),
    }),
  );
  printResult(flags.json, report, replayText);
  tellRest(report);
  process.exitCode = exitCodeOf(report);
}

function exitCodeOf({ interrupted, different, errors }: ReplayReport): number {
  if (interrupted) return 130;
  if (different.length > 0) return 4;
  return errors.length > 0 ? 3 : 0;
}

function replayText({ run_id, replayed, total, equal, different, errors }: ReplayReport): string {
  const failed = errors.length > 0 ? `, ${errors.length} could not be replayed` : "";
  return [
    `${run_id}: ${replayed} of ${total} episodes replayed, ${equal} equal to the last bit, ${different.length} different${failed}`,
    ...differenceLines(different),
    ...errorLines(errors),
  ].join("\n");
}

function tellRest({ warnings, skipped, different }: ReplayReport): void {
  for (const warning of warnings) say(`warning: ${warning}`);
  const notes = skipped.map(
    ({ episode_key, repeat, why }) => `${lineName(episode_key, repeat)} is not replayed: ${why}`,
  );
  sayNotes(notes, SHOWN_SKIPPED);
  if (different.length > 0) say("the replay differs from the recording");
}
