import { Argument, Command } from "commander";
import { createRegistries } from "../../registry/registries.js";
import { CATALOGS } from "../catalog.js";
import { printData, printJson, table } from "../output.js";

export function listCommand(): Command {
  return new Command("list")
    .description(`list ${Object.keys(CATALOGS).join(", ")}`)
    .addArgument(new Argument("<kind>").choices(Object.keys(CATALOGS)))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  robot-eval list metrics")
    .action((kind: string, flags: { readonly json?: boolean }) => {
      const entries = CATALOGS[kind]?.(createRegistries()) ?? [];
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
