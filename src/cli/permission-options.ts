import type { Command } from "commander";
import type { RunPermissions } from "../runs/recorded/recorded-benchmark.js";
import { benchmarkFile } from "./benchmark-file.js";
import { collect } from "./options.js";

/** What the user allows a run or bundle of another user to use. The user's own runs need none of these. */
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
    "your copy of the run's benchmark; its data and code are used",
  ],
  simulator: ["--simulator <command|url>", "the program or address of a remote simulator"],
  plugin: [
    "--plugin <module>",
    "a plugin's file or package, in place of the run's own (repeatable)",
  ],
  scenes: ["--scenes <folder>", "the scenes' files (default: as in the run's benchmark)"],
  connectivity: [
    "--connectivity <folder>",
    "navigation graphs (default: as in the run's benchmark)",
  ],
} as const;

const ALL = ["scenes", "connectivity", "plugin", "simulator", "benchmark"] as const;

/** Adds these options; without names all of them, for commands that simulate. */
export function permissionOptions(
  ...names: readonly (keyof PermissionFlags)[]
): (command: Command) => void {
  return (command) => {
    for (const name of names.length > 0 ? names : ALL) {
      const [flag, description] = FLAGS[name];
      if (name === "plugin") command.option(flag, description, collect);
      else command.option(flag, description);
    }
  };
}

export function permissionsIn(flags: PermissionFlags): Omit<RunPermissions, "agent" | "bundle"> {
  const { benchmark, simulator, plugin: plugins, scenes, connectivity } = flags;
  return {
    ...{ simulator, plugins, scenes, connectivity },
    benchmark: benchmark === undefined ? undefined : benchmarkFile(benchmark),
  };
}
