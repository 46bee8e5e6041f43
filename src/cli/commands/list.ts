import { Argument, Command } from "commander";
import { listBenchmarks } from "../benchmark-list.js";
import { CATALOGS } from "../catalog.js";
import { collect } from "../options.js";
import { printData, printJson, table } from "../output.js";
import { registriesWith } from "../plugins.js";

interface ListFlags {
  readonly json?: boolean;
  readonly plugin?: readonly string[];
}

export function listCommand(): Command {
  return new Command("list")
    .addArgument(new Argument("<kind>").choices(Object.keys(CATALOGS)))
    .option("--json", "print one JSON document")
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .addHelpText("after", "\nExamples:\n  robot-eval list benchmarks\n  robot-eval list metrics")
    .action(async (kind: string, flags: ListFlags) => {
      if (kind === "benchmarks") {
        listBenchmarks(flags.json === true);
        return;
      }
      const entries = CATALOGS[kind]?.(await registriesWith(flags.plugin)) ?? [];
      if (flags.json) printJson(entries.map(({ name, summary }) => ({ name, summary })));
      else
        printData(
          table(
            [kind, ""],
            entries.map(({ name, summary }) => [name, summary]),
          ),
        );
    });
}
