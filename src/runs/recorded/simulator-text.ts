import { ConfigError } from "../../core/errors.js";
import { shellWord } from "../report/format.js";

/** Parses `--simulator`: an address, or a command line. */
export function parseSimulator(
  text: string,
): { readonly url: string } | { readonly command: string[] } {
  if (/^wss?:\/\//.test(text)) return { url: text };
  const command = text.trimStart().startsWith("[") ? listIn(text) : wordsIn(text);
  if (command && command.length > 0) return { command };
  throw new ConfigError("bad_simulator", `--simulator is ${JSON.stringify(text)}`, {
    where: "--simulator",
    hint: `write ws://host:port, or the program: --simulator "python3 sim.py", --simulator '["python3", "my sim.py"]'`,
  });
}

/** The `--simulator` flag for a recorded simulator, quoted for a shell. */
export function simulatorText(simulator: string | readonly string[]): string {
  if (typeof simulator === "string") return `--simulator ${shellWord(simulator)}`;
  const isPlain = simulator.every((word) => /^[^\s"'[\]\\]+$/.test(word));
  return `--simulator ${shellWord(isPlain ? simulator.join(" ") : JSON.stringify(simulator))}`;
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function listIn(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const isTexts = Array.isArray(list) && list.every((item) => typeof item === "string");
    return isTexts ? (list as string[]) : undefined;
  } catch {
    return undefined;
  }
}
