import { Command, CommanderError } from "commander";
import { RobotEvalError } from "../core/errors.js";
import { PACKAGE_VERSION } from "../runs/directory/versions.js";
import { COMMANDS } from "./command-table.js";
import { paint, printJson, say } from "./output.js";
import { checkOutputs } from "./output-option.js";

/** Runs the called command and sets `process.exitCode`. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    const program = await makeProgram(calledCommand(args));
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error, args.includes("--json"));
  }
}

/** The called command, or the one whose `help` is requested. */
function calledCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  return first === "help" ? second : first;
}

/** All commands by name and summary, for help and suggestions, and the called one in full. */
async function makeProgram(called: string | undefined): Promise<Command> {
  const program = new Command("robot-eval")
    .description("Evaluate robot policies: navigation and manipulation through one evaluator.")
    .version(PACKAGE_VERSION)
    .showSuggestionAfterError()
    .addHelpText(
      "after",
      `
Exit codes: 0 ok, 1 internal error, 2 wrong usage, config or data, 3 too many invalid episodes,
4 a check failed (a threshold was missed, or what should be equal is not), 130 interrupted.

Start here:
  robot-eval run vln_challenge`,
    );
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = name === called ? (await load())() : new Command(name);
    program.addCommand(command.description(summary));
  }
  program.hook("preAction", (_, action) => checkOutputs(action));
  // Subcommands do not inherit these settings.
  for (const command of [program, ...program.commands]) {
    command.exitOverride().showHelpAfterError("(add --help for usage)");
  }
  return program;
}

/** Prints an error once. A user error prints no stack. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    // Commander has already printed the message; help and version are not errors.
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
