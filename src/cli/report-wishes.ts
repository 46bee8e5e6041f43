import { InvalidArgumentError } from "commander";
import { isRecord } from "../core/record.js";
import { REPORT_KINDS, type ReportKind } from "../runs/report/kinds.js";
import { say } from "./output.js";

/** A requested report and its file. */
export interface ReportWish {
  readonly to: ReportKind;
  readonly out: string | undefined;
}

/** Parses `--report html=report.html`, which can be repeated; `github` has a default file. */
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

/** The output files of the requested reports. */
export function wishedFiles(value: unknown): readonly string[] {
  const wishes: readonly unknown[] = Array.isArray(value) ? value : [];
  return wishes.flatMap((wish) =>
    isRecord(wish) && typeof wish.out === "string" ? [wish.out] : [],
  );
}

/** @param missed descriptions of the missed thresholds */
export async function writeReports(
  runDir: string,
  wishes: readonly ReportWish[],
  missed: readonly string[],
): Promise<void> {
  if (wishes.length === 0) return;
  const { writeReport } = await import("../runs/report/write.js");
  for (const { to, out } of wishes) {
    const { file, text } = await writeReport(runDir, { to, out, missed });
    // stdout already has the summary.
    say(file === null ? text : `${to} report: ${file}`);
  }
}
