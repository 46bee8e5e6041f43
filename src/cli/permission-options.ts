import type { Command } from "commander";
import type { RunPermissions } from "../runs/recorded/recorded-benchmark.js";
import { benchmarkFile } from "./benchmark-file.js";
import { collect } from "./options.js";

/** What the user allows a run or bundle from somebody else to use. The user's own runs need none of these. */
export interface PermissionFlags {
  readonly benchmark?: string;
  readonly simulator?: string;
  readonly plugin?: readonly string[];
  readonly scenes?: string;
  readonly connectivity?: string;
}

const FLAGS = {
  benchmark: [
    "--benchmark <file.yaml>",
    "your copy of the run's benchmark: its data and code count",
  ],
  simulator: [
    "--simulator <command|url>",
    "the simulator's program or address, where it is remote",
  ],
  plugin: ["--plugin <module>", "a plugin's file or package, for the run's own; may be repeated"],
  scenes: ["--scenes <folder>", "the scenes' files (default: as in the run's benchmark)"],
  connectivity: [
    "--connectivity <folder>",
    "navigation graphs (default: as in the run's benchmark)",
  ],
} as const;

/** All permissions, for commands that simulate. */
export const EVERY_PERMISSION = [
  ...(["scenes", "connectivity", "plugin", "simulator", "benchmark"] as const),
] as const satisfies readonly (keyof PermissionFlags)[];

export function withPermissionOptions(
  command: Command,
  names: readonly (keyof PermissionFlags)[],
): Command {
  for (const name of names) {
    const [flag, description] = FLAGS[name];
    if (name === "plugin") command.option(flag, description, collect);
    else command.option(flag, description);
  }
  return command;
}

export function permissionsIn(flags: PermissionFlags): Omit<RunPermissions, "agent" | "bundle"> {
  const { benchmark, simulator, plugin: plugins, scenes, connectivity } = flags;
  return {
    ...{ simulator, plugins, scenes, connectivity },
    benchmark: benchmark === undefined ? undefined : benchmarkFile(benchmark),
  };
}
