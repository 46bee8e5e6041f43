import { Option } from "commander";
import { writeAtomic } from "../../runs/directory/files.js";
import { resultsTable } from "../../runs/table/table.js";
import { TABLE_FORMATS, type TableFormat, tableText } from "../../runs/table/write.js";
import { CliCommand } from "../cli-command.js";
import { list } from "../options.js";
import { printable, printJson, say } from "../output.js";
import { STREAMS } from "../output-option.js";
import { type PermissionFlags, permissionOptions } from "../permission-options.js";

interface TableFlags extends Pick<PermissionFlags, "plugin"> {
  readonly to: TableFormat;
  readonly out?: string;
  readonly tasks?: readonly string[];
  readonly metrics?: readonly string[];
  readonly shared?: boolean;
  readonly json?: boolean;
}

export function tableCommand(): CliCommand {
  return new CliCommand("table")
    .argument("<runs...>", "run directories; each is a row")
    .addOption(
      new Option("--to <format>", "what to write").choices(TABLE_FORMATS).default("markdown"),
    )
    .output("--out <file>", "output file (default: stdout)", "file", { streams: true })
    .option("--tasks <a,b>", "tasks to show, in this order (default: all)", list)
    .option(
      "--metrics <a,b>",
      "metrics to show, in this order (default: all of one task, the primary ones of several)",
      list,
    )
    .option("--shared", "accept runs with different episodes; tests use those that two runs share")
    .option("--json", "print the table as one JSON document")
    .with(permissionOptions("plugin"))
    .remarks(`
A value is bold only if paired tests show that every other row is worse (docs/tables.md).

Examples:
  robot-eval table runs/baseline runs/ours --to latex --out results.tex
  robot-eval table runs/* --metrics success,spl --to markdown`)
    .action(table);
}

async function table(paths: readonly string[], flags: TableFlags): Promise<void> {
  const { to, out, tasks, metrics, shared, plugin: plugins, json } = flags;
  const made = await resultsTable(paths, { tasks, metrics, shared, plugins });
  const text = tableText(made, to);
  const prints = out === undefined || STREAMS.stdout.some((name) => name === out);
  const writes = out !== undefined && !prints && !STREAMS.discard.some((name) => name === out);
  if (writes) await writeAtomic(out, text);
  if (json) printJson(made);
  // Lines of CSV end with a carriage return, which would be escaped.
  else if (prints) process.stdout.write(text.split("\r\n").map(printable).join("\r\n"));
  if (writes) say(`written: ${out}`);
}
