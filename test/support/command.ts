import { vi } from "vitest";
import type { CliCommand } from "../../src/cli/cli-command.js";
import { RobotEvalError } from "../../src/core/errors.js";

export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** The error that the command threw. */
  readonly error?: RobotEvalError;
}

/** Runs one command in this process and captures what it writes. */
export async function runCommand(
  command: CliCommand,
  args: readonly string[],
): Promise<CommandOutput> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      said[name] += String(chunk);
      return true;
    }),
  );
  try {
    await command.exitOverride().parseAsync(args, { from: "user" });
    return said;
  } catch (error) {
    if (error instanceof RobotEvalError) return { ...said, error };
    throw error;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
