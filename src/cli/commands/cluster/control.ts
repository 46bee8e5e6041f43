import { Argument, Command } from "commander";
import { openCluster } from "../../../cluster/cluster.js";
import { type Control, controlRun } from "../../../cluster/control.js";
import { ConfigError } from "../../../core/errors.js";
import { printData, printJson } from "../../output.js";
import { FEW, queueOption } from "../../queue-option.js";

const ACTIONS = ["pause", "resume", "cancel", "priority", "delete"] as const;

interface ControlFlags {
  readonly queue: string;
  readonly json?: boolean;
}

export function controlCommand(): Command {
  return new Command("control")
    .argument("<run>")
    .addArgument(new Argument("<action>").choices(ACTIONS))
    .argument("[value]", "the priority: a whole number; higher runs first")
    .addOption(queueOption())
    .option("--json", "print the run's status as one JSON document")
    .addHelpText(
      "after",
      `
Episodes under way are finished. What a cancelled run has can still be pulled; delete forgets it.

Examples:
  robot-eval control 20260101T120000Z-vln-challenge-random pause --queue postgres://lab@db/robots
  robot-eval control 20260101T120000Z-vln-challenge-random priority 10 --queue postgres://lab@db/robots`,
    )
    .action(control);
}

async function control(
  run: string,
  action: (typeof ACTIONS)[number],
  value: string | undefined,
  flags: ControlFlags,
): Promise<void> {
  const wish = wishOf(action, value);
  const cluster = await openCluster(flags.queue, FEW);
  try {
    const status = await controlRun(cluster, run, wish);
    if (flags.json) printJson({ run_id: run, status });
    else printData(`${run} is ${status}`);
  } finally {
    await cluster.close();
  }
}

function wishOf(action: (typeof ACTIONS)[number], value: string | undefined): Control {
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
