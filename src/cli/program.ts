import { Command, CommanderError } from "commander";
import { RobotEvalError } from "../core/errors.js";
import { PACKAGE_VERSION } from "../runs/versions.js";
import { compareCommand } from "./commands/compare.js";
import { convertCommand } from "./commands/convert.js";
import { describeCommand } from "./commands/describe.js";
import { doctorCommand } from "./commands/doctor.js";
import { lintCommand } from "./commands/lint.js";
import { listCommand } from "./commands/list.js";
import { runCommand } from "./commands/run.js";
import { scoreCommand } from "./commands/score.js";
import { validateCommand } from "./commands/validate.js";
import { paint, printJson, say } from "./output.js";

const COMMANDS = [
  runCommand,
  scoreCommand,
  compareCommand,
  validateCommand,
  convertCommand,
  lintCommand,
  listCommand,
  describeCommand,
  doctorCommand,
];

/** Runs the command that the arguments name. How it went is in `process.exitCode`. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await makeProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error, args.includes("--json"));
  }
}

function makeProgram(): Command {
  const program = new Command("robot-eval")
    .description("Evaluate robot policies: navigation and manipulation through one evaluator.")
    .version(PACKAGE_VERSION)
    .showSuggestionAfterError()
    .addHelpText(
      "after",
      `
Exit codes: 0 ok, 1 internal error, 2 wrong usage, config or data, 3 too many invalid episodes,
4 a threshold was missed, 130 interrupted.

Start here:
  robot-eval run configs/benchmarks/vln_challenge.yaml`,
    );
  for (const make of COMMANDS) program.addCommand(make());
  // Subcommands inherit neither of these by themselves.
  for (const command of [program, ...program.commands]) {
    command.exitOverride().showHelpAfterError("(add --help for usage)");
  }
  return program;
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
