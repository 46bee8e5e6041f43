import { Argument } from "commander";
import { listBenchmarks } from "../benchmark-list.js";
import { CATALOGS } from "../catalog.js";
import { CliCommand } from "../cli-command.js";
import { collect } from "../options.js";
import { printResult, table } from "../output.js";
import { registriesWith } from "../plugins.js";

interface ListFlags {
  readonly json?: boolean;
  readonly plugin?: readonly string[];
}

export function listCommand(): CliCommand {
  return new CliCommand("list")
    .addArgument(new Argument("<kind>").choices(Object.keys(CATALOGS)))
    .option("--json", "print one JSON document")
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .remarks("\nExamples:\n  robot-eval list benchmarks\n  robot-eval list metrics")
    .action(async (kind: string, flags: ListFlags) => {
      if (kind === "benchmarks") {
        listBenchmarks(flags.json === true);
        return;
      }
      const entries = CATALOGS[kind]?.(await registriesWith(flags.plugin)) ?? [];
      const shown = entries.map(({ name, summary }) => ({ name, summary }));
      const rows = entries.map(({ name, summary }) => [name, summary]);
      printResult(flags.json, shown, () => table([kind, ""], rows));
    });
}
