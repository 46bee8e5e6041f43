import { Command, CommanderError } from "commander";
import { RobotEvalError } from "../core/errors.js";
import { PACKAGE_VERSION } from "../runs/versions.js";
import { paint, printJson, say } from "./output.js";

/** In the order of the help. A command's file, and all that it needs, is loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<() => Command>>> = {
  run: async () => (await import("./commands/run.js")).runCommand,
  resume: async () => (await import("./commands/resume.js")).resumeCommand,
  worker: async () => (await import("./commands/worker.js")).workerCommand,
  status: async () => (await import("./commands/status.js")).statusCommand,
  pull: async () => (await import("./commands/pull.js")).pullCommand,
  control: async () => (await import("./commands/control.js")).controlCommand,
  score: async () => (await import("./commands/score.js")).scoreCommand,
  merge: async () => (await import("./commands/merge.js")).mergeCommand,
  compare: async () => (await import("./commands/compare.js")).compareCommand,
  view: async () => (await import("./commands/view.js")).viewCommand,
  serve: async () => (await import("./commands/serve.js")).serveCommand,
  challenge: async () => (await import("./commands/challenge.js")).challengeCommand,
  replay: async () => (await import("./commands/replay.js")).replayCommand,
  audit: async () => (await import("./commands/audit.js")).auditCommand,
  export: async () => (await import("./commands/export.js")).exportCommand,
  report: async () => (await import("./commands/report.js")).reportCommand,
  bundle: async () => (await import("./commands/bundle.js")).bundleCommand,
  verify: async () => (await import("./commands/verify.js")).verifyCommand,
  map: async () => (await import("./commands/map.js")).mapCommand,
  probe: async () => (await import("./commands/probe.js")).probeCommand,
  validate: async () => (await import("./commands/validate.js")).validateCommand,
  generate: async () => (await import("./commands/generate.js")).generateCommand,
  collect: async () => (await import("./commands/collect.js")).collectCommand,
  convert: async () => (await import("./commands/convert.js")).convertCommand,
  lint: async () => (await import("./commands/lint.js")).lintCommand,
  scene: async () => (await import("./commands/scene.js")).sceneCommand,
  list: async () => (await import("./commands/list.js")).listCommand,
  describe: async () => (await import("./commands/describe.js")).describeCommand,
  doctor: async () => (await import("./commands/doctor.js")).doctorCommand,
};

/** Runs the command that the arguments name. How it went is in `process.exitCode`. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    const program = await makeProgram(args.find((arg) => !arg.startsWith("-")));
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error, args.includes("--json"));
  }
}

/** The help, and an unknown name's suggestion, need all commands; a command needs itself. */
async function makeProgram(asked: string | undefined): Promise<Command> {
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
  robot-eval run configs/benchmarks/vln_challenge.yaml`,
    );
  const one = asked !== undefined && Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
  for (const load of one ? [one] : Object.values(COMMANDS)) program.addCommand((await load())());
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
