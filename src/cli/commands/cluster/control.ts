import { Argument } from "commander";
import { type Control, controlRun } from "../../../cluster/control.js";
import { ConfigError } from "../../../core/errors.js";
import { CliCommand } from "../../cli-command.js";
import { printResult } from "../../output.js";
import { queueOption, withCluster } from "../../queue-option.js";

const ACTIONS = ["pause", "resume", "cancel", "priority", "delete"] as const;

interface ControlFlags {
  readonly queue: string;
  readonly json?: boolean;
}

export function controlCommand(): CliCommand {
  return new CliCommand("control")
    .argument("<run>")
    .addArgument(new Argument("<action>").choices(ACTIONS))
    .argument("[value]", "the priority: a whole number; higher runs first")
    .addOption(queueOption())
    .option("--json", "print the run's status as one JSON document")
    .remarks(`
Episodes under way are finished. The results of a cancelled run can still be pulled; delete removes them.

Examples:
  robot-eval control 20260101T120000Z-vln-challenge-random pause --queue postgres://lab@db/robots
  robot-eval control 20260101T120000Z-vln-challenge-random priority 10 --queue postgres://lab@db/robots`)
    .action(control);
}

async function control(
  run: string,
  action: (typeof ACTIONS)[number],
  value: string | undefined,
  flags: ControlFlags,
): Promise<void> {
  const requested = controlOf(action, value);
  const status = await withCluster(flags.queue, (cluster) => controlRun(cluster, run, requested));
  printResult(flags.json, { run_id: run, status }, () => `${run} is ${status}`);
}

function controlOf(action: (typeof ACTIONS)[number], value: string | undefined): Control {
  if (action !== "priority") {
    if (value === undefined) return { action };
    throw new ConfigError("usage", `${action} takes no value, received ${value}`);
  }
  const priority = Number(value);
  if (value !== undefined && Number.isSafeInteger(priority) && Math.abs(priority) < 2 ** 31) {
    return { action, priority };
  }
  throw new ConfigError("bad_priority", `the priority is ${value ?? "missing"}`, {
    hint: "write a whole number: robot-eval control <run> priority 10",
  });
}
