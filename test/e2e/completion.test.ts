import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** Program of util-linux that gives a command a terminal. */
const TERMINAL = "script";
const RUNS = ["a-run", "two words", "x$(touch pwned)"];

/** A folder with runs, and a `robot-eval` in the PATH that writes its arguments to a file instead of obeying them. */
let folder = "";
let env: NodeJS.ProcessEnv = {};
beforeAll(() => {
  folder = temporaryFolder();
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
  env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: folder,
    TERM: "xterm",
    HISTFILE: "",
  };
});

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
type Shell = keyof typeof SHELLS;

/** What the shell gives the program for each line typed on a terminal, where \t is the Tab key. */
function typed(shell: Shell, lines: readonly string[]): readonly string[][] {
  const { command, set } = SHELLS[shell];
  const output = join(folder, "arguments");
  rmSync(output, { force: true });
  const { stdout } = spawnSync(TERMINAL, ["-qec", command, "/dev/null"], {
    cwd: folder,
    env,
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

const runs = (command: string, ...args: readonly string[]) => spawnSync(command, args).status === 0;
const hasTerminal = runs(TERMINAL, "-qec", "true", "/dev/null");

for (const shell of ["bash", "zsh", "fish"] as const) {
  const isHere = hasTerminal && runs(shell, "-c", "true");
  if (!isHere) {
    const missing = hasTerminal ? shell : `${TERMINAL} of util-linux`;
    process.stderr.write(`SKIPPED: completion in ${shell}, because ${missing} is not installed\n`);
  }
  describe.skipIf(!isHere)(`completion in ${shell}`, () => {
    it("completes commands, options, benchmarks, values, runs and files, quoted as the shell needs", () => {
      const given = typed(shell, [
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
