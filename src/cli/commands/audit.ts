import { Command } from "commander";
import { ConfigError } from "../../core/errors.js";
import { AUDITED, auditRun } from "../../evaluator/check/audit-run.js";
import type { AuditReport } from "../../evaluator/check/replay/documents.js";
import { differenceLines, tellProgress } from "../check-text.js";
import { interruptible } from "../interrupt.js";
import { wholeNumber } from "../options.js";
import { number, printData, printJson, say } from "../output.js";
import {
  EVERY_PERMISSION,
  type PermissionFlags,
  permissionsIn,
  withPermissionOptions,
} from "../permission-options.js";

interface AuditFlags extends PermissionFlags {
  readonly number?: number;
  readonly seed: number;
  readonly all?: boolean;
  readonly agent?: string;
  readonly initialOnly?: boolean;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly json?: boolean;
}

export function auditCommand(): Command {
  const command = new Command("audit")
    .argument("<run>", "run directory")
    .option("-n, --number <n>", `episodes to draw (default ${AUDITED})`, wholeNumber(1))
    .option("--all", "every episode that counts")
    .option("--seed <k>", "seed of the random sample", wholeNumber(0), 0)
    .option("--agent <spec>", "the current address of the run's policy")
    .option("--initial-only", "only compare initial states; no agent is opened")
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option("--json", "print one JSON document");
  return withPermissionOptions(command, EVERY_PERMISSION)
    .addHelpText(
      "after",
      `
Exits with 4 when an initial state is not the recorded one, or when an agent of ours comes to another
result. A policy that runs elsewhere may decide otherwise: that is told, and is no failure.

Examples:
  robot-eval audit runs/20260101T120000Z-vln-challenge-shortest-path -n 50 --seed 7
  robot-eval audit runs/20260101T120000Z-vln-challenge-ws --agent ws://gpu2:8000
  robot-eval audit runs/20260101T120000Z-vln-challenge-ws --all --initial-only`,
    )
    .action(audit);
}

async function audit(path: string, flags: AuditFlags): Promise<void> {
  const { seed, agent, initialOnly, workers = "auto", concurrency } = flags;
  refuse(flags, "all", "number", "--all checks every episode");
  refuse(flags, "initialOnly", "agent", "--initial-only opens no agent");
  const interrupt = interruptible("stopping after the episodes under way");
  try {
    const report = await auditRun(path, {
      ...permissionsIn(flags),
      ...{ seed, agent, initialOnly, workers, concurrency },
      episodes: flags.all ? "all" : flags.number,
      signal: interrupt.signal,
      onProgress: tellProgress("audited"),
    });
    if (flags.json) printJson(report);
    else printData(auditText(report));
    for (const warning of report.warnings) say(`warning: ${warning}`);
    process.exitCode = report.interrupted ? 130 : report.broken.length > 0 ? 4 : 0;
  } finally {
    interrupt.release();
  }
}

/** Rejects a flag that would have no effect. */
function refuse(
  flags: AuditFlags,
  one: "all" | "initialOnly",
  other: "number" | "agent",
  why: string,
): void {
  if (!flags[one] || flags[other] === undefined) return;
  throw new ConfigError("unused_flag", `--${other} has no effect here: ${why}`, {
    where: `--${other}`,
    hint: "remove one of the two flags",
  });
}

function auditText(report: AuditReport): string {
  const { run_id, audited, total, equal, seed, initial_only, agent, broken, otherwise } = report;
  const what = initial_only ? "initial states" : "episodes";
  const lines = [
    `${run_id}: ${audited} of ${total} ${what} audited (draw ${seed}), ${equal} as recorded, ${broken.length} broken`,
    ...differenceLines(broken),
  ];
  if (otherwise.length > 0) {
    lines.push(
      `${otherwise.length} of ${audited} differ from the recording although their initial state is the same: ${agent} is not deterministic`,
      ...differenceLines(otherwise),
    );
  }
  const { success } = report;
  if (success && broken.length + otherwise.length > 0) {
    lines.push(`success: ${number(success.recorded)} recorded, ${number(success.now)} now`);
  }
  return lines.join("\n");
}
