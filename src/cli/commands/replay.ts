import { Command } from "commander";
import { ConfigError } from "../../core/errors.js";
import type { ReplayReport } from "../../evaluator/check/replay/documents.js";
import { replayRun } from "../../evaluator/check/replay/replay-run.js";
import { lineName } from "../../runs/directory/line-name.js";
import { differenceLines, tellProgress } from "../check-text.js";
import { interruptible } from "../interrupt.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";
import {
  EVERY_PERMISSION,
  type PermissionFlags,
  permissionsIn,
  withPermissionOptions,
} from "../permission-options.js";

/** Maximum number of episodes that are listed as not replayed. */
const SHOWN_SKIPPED = 5;

interface ReplayFlags extends PermissionFlags {
  readonly repeat?: number;
  readonly workers?: number;
  readonly json?: boolean;
}

export function replayCommand(): Command {
  const command = new Command("replay")
    .argument("<run>", "run directory")
    .argument("[episode]", "episode key, or an id that only one episode has (default: all)")
    .option("--repeat <n>", "only this repeat of the episode; also <episode>#<n>", wholeNumber(0))
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--json", "print one JSON document");
  return withPermissionOptions(command, EVERY_PERMISSION)
    .addHelpText(
      "after",
      `
Exits with 4 when anything differs. A run that somebody else made starts no program, loads no plugin and reads no
folder but its own unless you name it.

Examples:
  robot-eval replay runs/20260101T120000Z-vln-challenge-random
  robot-eval replay runs/20260101T120000Z-vln-challenge-random vln/apartment/100/1 --json`,
    )
    .action(replay);
}

async function replay(
  path: string,
  episode: string | undefined,
  flags: ReplayFlags,
): Promise<void> {
  const { repeat, workers = "auto" } = flags;
  if (repeat !== undefined && episode === undefined) {
    throw new ConfigError("unused_flag", "--repeat has no effect without an episode", {
      where: "--repeat",
      hint: "write the episode before it: robot-eval replay <run> <episode> --repeat 1",
    });
  }
  const interrupt = interruptible("stopping after the episodes under way");
  try {
    const report = await replayRun(path, {
      ...permissionsIn(flags),
      ...{ episode, repeat, workers },
      signal: interrupt.signal,
      onProgress: tellProgress("replayed"),
    });
    if (flags.json) printJson(report);
    else printData(replayText(report));
    tellRest(report);
    process.exitCode = report.interrupted ? 130 : report.different.length > 0 ? 4 : 0;
  } finally {
    interrupt.release();
  }
}

function replayText({ run_id, replayed, total, equal, different }: ReplayReport): string {
  return [
    `${run_id}: ${replayed} of ${total} episodes replayed, ${equal} equal to the last bit, ${different.length} different`,
    ...differenceLines(different),
  ].join("\n");
}

function tellRest({ warnings, skipped, different }: ReplayReport): void {
  for (const warning of warnings) say(`warning: ${warning}`);
  for (const { episode_key, repeat, why } of skipped.slice(0, SHOWN_SKIPPED)) {
    say(`note: ${lineName(episode_key, repeat)} is not replayed: ${why}`);
  }
  const more = skipped.length - SHOWN_SKIPPED;
  if (more > 0) say(`note: and ${more} more are not replayed (--json)`);
  if (different.length > 0) say("the replay differs from the recording");
}
