#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { RobotEvalError } from "../core/errors.js";
import { PACKAGE_VERSION } from "../runs/versions.js";
import { compareCommand } from "./commands/compare.js";
import { describeCommand } from "./commands/describe.js";
import { doctorCommand } from "./commands/doctor.js";
import { listCommand } from "./commands/list.js";
import { runCommand } from "./commands/run.js";
import { scoreCommand } from "./commands/score.js";
import { validateCommand } from "./commands/validate.js";
import { paint, printJson, say } from "./output.js";

const program = new Command("robot-eval")
  .description("Evaluate robot policies: navigation and manipulation through one evaluator.")
  .version(PACKAGE_VERSION)
  .showHelpAfterError("(add --help for usage)")
  .showSuggestionAfterError()
  .addHelpText(
    "after",
    `
Exit codes: 0 ok, 1 internal error, 2 wrong usage, config or data, 3 too many invalid episodes,
4 a threshold was missed, 130 interrupted.

Start here:
  robot-eval run configs/benchmarks/vln_challenge.yaml`,
  );

for (const make of [
  runCommand,
  scoreCommand,
  compareCommand,
  validateCommand,
  listCommand,
  describeCommand,
  doctorCommand,
]) {
  program.addCommand(make());
}
// Subcommands inherit neither of these by themselves.
for (const command of [program, ...program.commands]) {
  command.exitOverride().showHelpAfterError("(add --help for usage)");
}

// A reader that closes the pipe early (`| head`) is no error, and must not cut a run short.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error, process.argv.includes("--json"));
}

/** Errors are shown here, once. A user's mistake prints no stack. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    // Commander has told the user already; help and version are no errors.
    if (error.exitCode === 0) return 0;
    const message = error.message.replace(/^error: /, "");
    if (json) printJson({ error: { code: "usage", message, where: null, hint: "add --help" } });
    return 2;
  }
  if (error instanceof RobotEvalError) {
    const { code, message, where, hint } = error;
    if (json) printJson({ error: { code, message, where: where ?? null, hint: hint ?? null } });
    say(`${paint("red", "error", process.stderr)}: ${error.describe()}`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (json)
    printJson({ error: { code: "internal", message: String(error), where: null, hint: null } });
  say(`${paint("red", "internal error", process.stderr)}: ${text}`);
  return 1;
}
