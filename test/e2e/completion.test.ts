import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A folder with one run, and a `robot-eval` in the PATH. */
let folder = "";
let env: NodeJS.ProcessEnv = {};
beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "runs/a-run"), { recursive: true });
  writeFileSync(join(folder, "runs/a-run/run.json"), "{}");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "robot-eval"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(bin, "robot-eval"), 0o755);
  env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
});

function shell(name: string, args: readonly string[], script: string) {
  const { status, stdout, stderr } = spawnSync(name, [...args, script], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout.split("\n").filter((line) => line !== "");
}

const isThere = (name: string) => spawnSync(name, ["-c", "true"]).status === 0;
for (const name of ["zsh", "fish"]) {
  if (!isThere(name)) process.stderr.write(`SKIPPED: completion in ${name}, which is not here\n`);
}

describe.skipIf(!isThere("bash"))("completion in bash", () => {
  /** What the Tab key gives, by the function that `complete` has registered. */
  const complete = (...words: readonly string[]) =>
    shell(
      "bash",
      ["--norc", "-c"],
      `source <(robot-eval completion bash)
      COMP_WORDS=(robot-eval ${words.map((word) => `'${word}'`).join(" ")})
      COMP_CWORD=${words.length}
      function=$(complete -p robot-eval | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      $function robot-eval
      compgen -W "\${COMPREPLY[*]}" -- '${words.at(-1)}'`,
    );

  it("completes commands, benchmarks, options and runs", () => {
    expect(complete("val")).toEqual(["validate"]);
    expect(complete("run", "vln_")).toEqual(["vln_challenge", "vln_graph"]);
    expect(complete("run", "vln_challenge", "--dry")).toEqual(["--dry-run"]);
    expect(complete("report", "runs/")).toEqual(["runs/a-run"]);
  });
});

describe.skipIf(!isThere("zsh"))("completion in zsh", () => {
  it("has a script that zsh accepts and that asks for candidates", () => {
    const script = `autoload -Uz compinit; compinit -u -D
      source <(robot-eval completion zsh)
      words=(robot-eval run vln_); CURRENT=3
      compadd() { print -l -- "\${candidates[@]}" }
      _robot_eval`;
    expect(shell("zsh", ["-f", "-c"], script)).toEqual(["vln_challenge", "vln_graph"]);
  });
});

describe.skipIf(!isThere("fish"))("completion in fish", () => {
  it("completes commands and benchmarks", () => {
    const script = "robot-eval completion fish | source; complete -C 'robot-eval run vln_'";
    expect(shell("fish", ["--no-config", "-c"], script)).toEqual(["vln_challenge", "vln_graph"]);
  });
});
