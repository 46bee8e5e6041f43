import { InvalidArgumentError } from "commander";
import { REPORT_KINDS, type ReportKind, writeReport } from "../runs/report/write.js";
import { say } from "./output.js";

/** A report that is wanted of a run, and where. */
export interface ReportWish {
  readonly to: ReportKind;
  readonly out: string | undefined;
}

/** For `--report html=report.html`, which may be given several times; `github` knows where to go. */
export function reportWish(
  text: string,
  before: readonly ReportWish[] = [],
): readonly ReportWish[] {
  const [kind, ...rest] = text.split("=");
  const to = REPORT_KINDS.find((known) => known === kind);
  const out = rest.join("=");
  if (!to || (out === "" && to !== "github")) {
    throw new InvalidArgumentError("expected html=<file>, junit=<file>, github or github=<file>.");
  }
  return [...before, { to, out: out === "" ? undefined : out }];
}

/** @param missed thresholds, in words */
export async function writeReports(
  runDir: string,
  wishes: readonly ReportWish[],
  missed: readonly string[],
): Promise<void> {
  for (const { to, out } of wishes) {
    const { file, text } = await writeReport(runDir, { to, out, missed });
    // Data goes to stdout, and the summary is there already.
    say(file === null ? text : `${to} report: ${file}`);
  }
}
