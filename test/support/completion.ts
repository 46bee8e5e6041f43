import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./cli.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** Program of util-linux that gives a command a terminal. */
const TERMINAL = "script";
const RUNS = ["a-run", "two words", "x$(touch pwned)"];

/** The shells, as an interactive session without the user's files, and what loads the completion. */
const SHELLS = {
  bash: {
    command: "bash --norc --noprofile -i",
    set: "source <(robot-eval completion bash)",
  },
  zsh: {
    command: "zsh -f -i",
    set: "autoload -Uz compinit; compinit -u -D; source <(robot-eval completion zsh)",
  },
  fish: {
    command: "fish --no-config -i",
    set: "robot-eval completion fish | source",
  },
} as const;

/** Tests the completion in a shell; skipped, with a line on stderr, where the shell is not installed. */
export function testCompletion(shell: keyof typeof SHELLS): void {
  const hasTerminal = runs(TERMINAL, "-qec", "true", "/dev/null");
  const isHere = hasTerminal && runs(shell, "-c", "true");
  if (!isHere) {
    const missing = hasTerminal ? shell : `${TERMINAL} of util-linux`;
    process.stderr.write(`SKIPPED: completion in ${shell}, because ${missing} is not installed\n`);
  }
  describe.skipIf(!isHere)(`completion in ${shell}`, () => {
    it("the shell completes commands, options, benchmarks, values, runs and files, quoted as it needs", () => {
      const folder = folderWithRuns();
      const given = typed(shell, folder, [
        "robot-eval val\t",
        "robot-eval run vln_ch\t --dry\t",
        "robot-eval probe ws://x --benchmark unified_s\t",
        "robot-eval probe ws://x --benchmark=unified_s\t",
        "robot-eval report runs/a\t",
        "robot-eval report runs/tw\t",
        "robot-eval report runs/two\\ w\t",
        "robot-eval report 'runs/two w\t",
        "robot-eval report runs/x\t",
        "robot-eval run own\t",
      ]);
      expect(given).toEqual([
        ["validate"],
        ["run", "vln_challenge", "--dry-run"],
        ["probe", "ws://x", "--benchmark", "unified_smoke"],
        ["probe", "ws://x", "--benchmark=unified_smoke"],
        ["report", "runs/a-run"],
        ["report", "runs/two words"],
        ["report", "runs/two words"],
        ["report", "runs/two words"],
        ["report", "runs/x$(touch pwned)"],
        ["run", "own file.yaml"],
      ]);
      expect(existsSync(join(folder, "pwned"))).toBe(false);
    });
  });
}

/** A folder with runs, and a `robot-eval` in `bin` that writes its arguments to a file instead of obeying them. */
function folderWithRuns(): string {
  const folder = temporaryFolder();
  for (const name of RUNS) {
    mkdirSync(join(folder, "runs", name), { recursive: true });
    writeFileSync(join(folder, "runs", name, "run.json"), "{}");
  }
  writeFileSync(join(folder, "own file.yaml"), "");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "robot-eval"),
    `#!/bin/sh
if [ "$1" = completion ]; then exec "${process.execPath}" "${main}" "$@"; fi
printf '%s\\n' "$@" >> "${join(folder, "arguments")}"
echo -- >> "${join(folder, "arguments")}"
`,
  );
  chmodSync(join(bin, "robot-eval"), 0o755);
  return folder;
}

/** What the shell gives the program for each line typed on a terminal, where \t is the Tab key. */
function typed(
  shell: keyof typeof SHELLS,
  folder: string,
  lines: readonly string[],
): readonly string[][] {
  const { command, set } = SHELLS[shell];
  const output = join(folder, "arguments");
  const { stdout } = spawnSync(TERMINAL, ["-qec", command, "/dev/null"], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
      HOME: folder,
      TERM: "xterm",
      HISTFILE: "",
    },
    encoding: "utf8",
    input: [set, ...lines, "exit", ""].join("\n"),
    timeout: 60_000,
  });
  expect(existsSync(output), stdout).toBe(true);
  return readFileSync(output, "utf8")
    .split("--\n")
    .slice(0, -1)
    .map((words) => words.trimEnd().split("\n"));
}

function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}
