import { Option } from "commander";
import { ConfigError } from "../../core/errors.js";
import type { RunSummary } from "../../core/interfaces/result.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { REPORT_KINDS, type ReportKind } from "../../runs/report/kinds.js";
import { summaryOf } from "../../runs/report/summary-of.js";
import { writeReport } from "../../runs/report/write.js";
import { reportedRun } from "../../runs/stress/reported-run.js";
import { missedTexts, parseThresholds, verdictsOf } from "../../runs/thresholds.js";
import { CliCommand } from "../cli-command.js";
import { collect } from "../options.js";
import { printable, printJson, say } from "../output.js";
import { STREAMS } from "../output-option.js";
import { type PermissionFlags, permissionOptions } from "../permission-options.js";
import { recordedThresholds } from "../thresholds.js";

interface ReportFlags extends Pick<PermissionFlags, "plugin" | "scenes"> {
  readonly to: ReportKind;
  readonly out?: string;
  readonly threshold?: readonly string[];
  readonly json?: boolean;
}

export function reportCommand(): CliCommand {
  return new CliCommand("report")
    .argument("<run>", "run directory, or the folder of a stress test")
    .output(
      "--out <file>",
      "output file; required for html, the others default to stdout, which is also `-`",
      "file",
      { streams: true },
    )
    .addOption(new Option("--to <kind>", "what to write").choices(REPORT_KINDS).default("html"))
    .option("--threshold <metric=value>", "exit with 4 if the mean misses it (repeatable)", collect)
    .option("--json", "print the written file and the missed thresholds as JSON")
    .with(permissionOptions("scenes", "plugin"))
    .remarks(`
Without --out, a GitHub summary is appended to the file that GITHUB_STEP_SUMMARY names.

Examples:
  robot-eval report runs/20260101T120000Z-vln-challenge-random --out report.html
  robot-eval report runs/20260101T120000Z-vln-challenge-random --to junit --out junit.xml --threshold success=0.5`)
    .action(report);
}

async function report(path: string, flags: ReportFlags): Promise<void> {
  const { to, out, json } = flags;
  if (to === "html" && out === undefined) {
    throw new ConfigError("no_out", "an HTML report needs an output file", {
      where: "--out",
      hint: "for example: --out report.html",
    });
  }
  const { plugin: plugins, scenes } = flags;
  const permissions = { plugins, scenes };
  const run = await RunDirectory.open((await reportedRun(path)).run);
  const summary = await summaryOf(run, permissions);
  const verdicts = verdictsOf(summary, await thresholdsOf(run, summary, flags.threshold));
  const missed = missedTexts(verdicts);
  const prints = STREAMS.stdout.some((name) => name === out);
  const discards = STREAMS.discard.some((name) => name === out);
  const wanted = prints || discards ? null : out;
  const { file, text } = await writeReport(path, {
    ...{ to, out: wanted, thresholds: verdicts, permissions },
  });
  const bytes = Buffer.byteLength(text);
  if (json)
    printJson({
      run_dir: path,
      to,
      file,
      bytes,
      missed,
      ...(verdicts.length > 0 ? { thresholds: verdicts } : {}),
      ...(file === null && !discards ? { text } : {}),
    });
  else if (file === null && !discards) process.stdout.write(printable(text));
  for (const each of missed) say(`threshold missed: ${each}`);
  if (file !== null) say(`written: ${file} (${Math.ceil(bytes / 1024)} KiB)`);
  if (missed.length > 0) process.exitCode = 4;
}

/** Those of the flags and of the recorded benchmark. */
async function thresholdsOf(
  run: RunDirectory,
  summary: RunSummary,
  flags: ReportFlags["threshold"],
) {
  const { per_task } = summary;
  const reported = Object.fromEntries(
    Object.entries(per_task).map(([task, metrics]) => [task, Object.keys(metrics)]),
  );
  const info = await run.info();
  // As in the shard's run: they are for the merged run.
  const own = info.selection.shard === undefined ? recordedThresholds(info) : [];
  return [...parseThresholds(own, reported, run.file("info")), ...parseThresholds(flags, reported)];
}
