import type { Command } from "commander";
import { collect, share } from "./options.js";
import { OutputOption } from "./output-option.js";
import { type ReportWish, reportWish, wishedFiles } from "./report-wishes.js";

/** What the user wants of a run's results, however the run came about. */
export interface ResultFlags {
  readonly threshold?: readonly string[];
  readonly failOnInvalid?: number;
  readonly report?: readonly ReportWish[];
  readonly json?: boolean;
}

export function withResultOptions(command: Command): Command {
  return command
    .option(
      "--threshold <metric=value>",
      "exit with 4 when the mean misses it (repeatable)",
      collect,
    )
    .option("--fail-on-invalid <share>", "exit with 3 above this share (default 0.1)", share)
    .addOption(
      new OutputOption(
        "--report <kind=file>",
        "also write html=<file>, junit=<file> or github (repeatable)",
        { kind: "file", paths: wishedFiles },
      ).argParser(reportWish),
    )
    .option("--json", "print the summary as one JSON document");
}
