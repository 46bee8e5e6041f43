import { Command } from "commander";
import type { OutputKind } from "../config/output-path.js";
import { OutputOption, type OutputRules } from "./output-option.js";

/** A command with shortcuts for what most commands declare. */
export class CliCommand extends Command {
  /** Adds an option that names what the command writes. */
  output(flags: string, description: string, kind: OutputKind, rules?: OutputRules): this {
    return this.addOption(new OutputOption(flags, description, kind, rules));
  }

  /** Adds options that several commands share. */
  with(add: (command: Command) => void): this {
    add(this);
    return this;
  }

  /** Adds text after the list of options: remarks and examples. */
  remarks(text: string): this {
    return this.addHelpText("after", text);
  }
}
