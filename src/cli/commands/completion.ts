import { ConfigError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import { CliCommand } from "../cli-command.js";
import { isShell, SCRIPTS } from "../completion/scripts.js";
import { printData } from "../output.js";

/** Called by the scripts at the Tab key. */
const CANDIDATES = "candidates";

export function completionCommand(): CliCommand {
  return new CliCommand("completion")
    .argument("<shell>", Object.keys(SCRIPTS).join(", "))
    .argument("[words...]", "for the scripts: the words to complete")
    .remarks(`
Examples:
  source <(robot-eval completion bash)
  robot-eval completion fish > ~/.config/fish/completions/robot-eval.fish`)
    .action(completion);
}

async function completion(shell: string, words: readonly string[]): Promise<void> {
  if (shell === CANDIDATES) {
    const { candidatesFor } = await import("../completion/candidates.js");
    const candidates = await candidatesFor(words);
    if (candidates.length > 0) printData(candidates.join("\n"));
    return;
  }
  if (!isShell(shell)) {
    throw new ConfigError("unknown_shell", `there is no completion for the shell "${shell}"`, {
      hint: suggestion(shell, Object.keys(SCRIPTS)),
    });
  }
  printData(SCRIPTS[shell].trimEnd());
}
