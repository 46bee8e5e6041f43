import { type Command, InvalidArgumentError } from "commander";
import { isRecord } from "../core/record.js";
import { REPORT_KINDS, type ReportKind } from "../runs/report/kinds.js";
import { collect, share } from "./options.js";
import { OutputOption } from "./output-option.js";

/** Options about the results of a run. */
export interface ResultFlags {
  readonly threshold?: readonly string[];
  readonly failOnInvalid?: number;
  readonly report?: readonly RequestedReport[];
  readonly json?: boolean;
}

interface RequestedReport {
  readonly to: ReportKind;
  /** Undefined: the default file of `github`. */
  readonly out: string | undefined;
}

export function resultOptions(command: Command): void {
  command
    .option(
      "--threshold <metric=value>",
      "exit with 4 if it is missed: success=0.5, vln.success.ci_low>=0.4 (repeatable)",
      collect,
    )
    .option("--fail-on-invalid <share>", "exit with 3 above this share (default 0.1)", share)
    .addOption(
      new OutputOption(
        "--report <kind=file>",
        "also write html=<file>, junit=<file> or github (repeatable)",
        "file",
        { paths: reportFiles },
      ).argParser(requestedReport),
    )
    .option("--json", "print the summary as one JSON document");
}

/** Parses `--report html=report.html`, which can be repeated; `github` has a default file. */
function requestedReport(
  text: string,
  before: readonly RequestedReport[] = [],
): readonly RequestedReport[] {
  const [kind, ...rest] = text.split("=");
  const to = REPORT_KINDS.find((known) => known === kind);
  const out = rest.join("=");
  if (!to || (out === "" && to !== "github")) {
    throw new InvalidArgumentError("expected html=<file>, junit=<file>, github or github=<file>.");
  }
  return [...before, { to, out: out === "" ? undefined : out }];
}

function reportFiles(value: unknown): readonly string[] {
  const requested: readonly unknown[] = Array.isArray(value) ? value : [];
  return requested.flatMap((report) =>
    isRecord(report) && typeof report.out === "string" ? [report.out] : [],
  );
}
