import { AUDITED, auditRun } from "../../evaluator/check/audit-run.js";
import type { AuditReport } from "../../evaluator/check/replay/documents.js";
import { number } from "../../runs/report/format.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { rejectUnused, wholeNumber } from "../options.js";
import { printResult, say } from "../output.js";
import { type PermissionFlags, permissionOptions, permissionsIn } from "../permission-options.js";
import { differenceLines, tellProgress } from "../text/check-text.js";

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

export function auditCommand(): CliCommand {
  return new CliCommand("audit")
    .argument("<run>", "run directory")
    .option("-n, --number <n>", `episodes to draw (default ${AUDITED})`, wholeNumber(1))
    .option("--all", "every episode that counts")
    .option("--seed <k>", "seed of the random sample", wholeNumber(0), 0)
    .option("--agent <spec>", "the current address of the run's policy")
    .option("--initial-only", "only compare initial states; no agent is opened")
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option("--json", "print one JSON document")
    .with(permissionOptions())
    .remarks(`
Exits with 4 if an initial state differs from the recorded one, or if a built-in agent gets another result. A remote
policy need not be deterministic: its differences are reported and are no failure.

Examples:
  robot-eval audit runs/20260101T120000Z-vln-challenge-shortest-path -n 50 --seed 7
  robot-eval audit runs/20260101T120000Z-vln-challenge-ws --agent ws://gpu2:8000
  robot-eval audit runs/20260101T120000Z-vln-challenge-ws --all --initial-only`)
    .action(audit);
}

async function audit(path: string, flags: AuditFlags): Promise<void> {
  const { seed, agent, initialOnly, workers = "auto", concurrency } = flags;
  const hint = "remove one of the two flags";
  if (flags.all) rejectUnused(flags, ["number"], "here: --all checks every episode", hint);
  if (initialOnly) rejectUnused(flags, ["agent"], "here: --initial-only opens no agent", hint);
  const report = await withInterrupt("stopping after the episodes under way", (signal) =>
    auditRun(path, {
      ...permissionsIn(flags),
      ...{ seed, agent, initialOnly, workers, concurrency, signal },
      episodes: flags.all ? "all" : flags.number,
      onProgress: tellProgress("audited"),
    }),
  );
  printResult(flags.json, report, auditText);
  for (const warning of report.warnings) say(`warning: ${warning}`);
  process.exitCode = report.interrupted ? 130 : report.broken.length > 0 ? 4 : 0;
}

function auditText(report: AuditReport): string {
  const { run_id, audited, total, equal, seed, initial_only, agent, broken, otherwise } = report;
  const what = initial_only ? "initial states" : "episodes";
  const lines = [
    `${run_id}: ${audited} of ${total} ${what} audited (seed ${seed}), ${equal} as recorded, ${broken.length} broken`,
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
