import { Command, Option } from "commander";
import { ConfigError } from "../../core/errors.js";
import { summaryOf } from "../../runs/report/summary-of.js";
import { REPORT_KINDS, type ReportKind, writeReport } from "../../runs/report/write.js";
import { RunDirectory } from "../../runs/run-directory.js";
import { collect } from "../options.js";
import { printJson, say } from "../output.js";
import { missedThresholds, parseThreshold } from "../thresholds.js";

interface ReportFlags {
  readonly to: ReportKind;
  readonly out?: string;
  readonly threshold?: readonly string[];
  readonly json?: boolean;
}

export function reportCommand(): Command {
  return new Command("report")
    .description("write a run as one HTML page, as JUnit XML or as a GitHub summary")
    .argument("<run>", "run directory")
    .option("--out <file>", "where it goes; html needs one, the others go to stdout without it")
    .addOption(new Option("--to <kind>", "what to write").choices(REPORT_KINDS).default("html"))
    .option(
      "--threshold <metric=value>",
      "exit with 4 when the mean misses it (repeatable)",
      collect,
    )
    .option("--json", "print what was written, and which thresholds were missed, as JSON")
    .addHelpText(
      "after",
      `
Without --out, a GitHub summary is appended to the file that GITHUB_STEP_SUMMARY names.

Examples:
  robot-eval report runs/20260101T120000Z-vln-challenge-random --out report.html
  robot-eval report runs/20260101T120000Z-vln-challenge-random --to junit --out junit.xml --threshold success=0.5`,
    )
    .action(report);
}

async function report(path: string, flags: ReportFlags): Promise<void> {
  const { to, out, json } = flags;
  if (to === "html" && out === undefined) {
    throw new ConfigError("no_out", "an HTML report needs a file to go to", {
      where: "--out",
      hint: "for example: --out report.html",
    });
  }
  const summary = await summaryOf(await RunDirectory.open(path));
  const reported = Object.keys(summary.aggregated_metrics);
  const thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, reported));
  const missed = missedThresholds(summary, thresholds);
  const { file, text } = await writeReport(path, { to, out, missed });
  const bytes = Buffer.byteLength(text);
  if (json)
    printJson({ run_dir: path, to, file, bytes, missed, ...(file === null ? { text } : {}) });
  else if (file === null) process.stdout.write(text);
  for (const each of missed) say(`threshold missed: ${each}`);
  if (file !== null) say(`written: ${file} (${Math.ceil(bytes / 1024)} KiB)`);
  if (missed.length > 0) process.exitCode = 4;
}
