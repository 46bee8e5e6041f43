import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Argument, Command, Option } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OutputKind } from "../config/output-path.js";
import { COMMANDS } from "./command-table.js";
import { OutputArgument, OutputOption } from "./output-option.js";
import { runProgram } from "./program.js";

/** Options whose path is an input. A new option is either here or an `OutputOption`. */
const READ: ReadonlySet<string> = new Set(
  "--scenes --connectivity --data-root --gt --dataset --sign --key --benchmark --set".split(" "),
);
const NAMES_PATH = /<[^>]*(file|folder|path|dir|\.pem)[^>]*>/;

const commands: [string, Command][] = [];
for (const [name, { load }] of Object.entries(COMMANDS)) commands.push([name, (await load())()]);

interface Output {
  readonly command: Command;
  /** The name in the help. */
  readonly name: string;
  readonly kind: OutputKind;
  /** The command's arguments, with a path for this output. */
  readonly args: (path: string) => string[];
}

const outputs = commands.flatMap(([, command]) => outputsOf(command));

function outputsOf(command: Command): Output[] {
  const options = command.options.flatMap((option): Output[] => {
    if (!(option instanceof OutputOption)) return [];
    const { kind, rules } = option;
    const value = (path: string) => (rules.paths ? `html=${path}` : path);
    const args = (path: string) => [`${option.long}=${value(path)}`, ...needed(command, option)];
    return [{ command, name: option.flags, kind, args }];
  });
  const positions = command.registeredArguments.flatMap((argument): Output[] => {
    if (!(argument instanceof OutputArgument)) return [];
    const args = (path: string) => [path, ...needed(command, argument)];
    return [{ command, name: argument.name(), kind: argument.kind, args }];
  });
  return [...options, ...positions];
}

/** The command's required options and arguments. The files do not exist: outputs are checked before inputs are read. */
function needed(command: Command, given: Option | Argument): string[] {
  const options = command.options.filter((option) => option.mandatory && option !== given);
  const positions = command.registeredArguments.filter((one) => one.required && one !== given);
  return [
    ...options.map((option) => `${option.long}=${option.argChoices?.[0] ?? "3"}`),
    ...positions.map(() => "no-such-thing"),
  ];
}

describe("options that name a path", () => {
  it.each(commands)("the path options of %s are inputs or checked outputs", (_, command) => {
    for (const option of command.options) {
      const isPath =
        NAMES_PATH.test(option.flags) || /^--(out|export|save|write)/.test(`${option.long}`);
      if (isPath && !READ.has(`${option.long}`)) expect(option).toBeInstanceOf(OutputOption);
    }
  });

  it("every command that writes has a checked output", () => {
    const known =
      "run duel pull score merge view export report bundle map generate collect convert scene";
    const found = new Set(outputs.map(({ command }) => command.name()));
    expect([...found].sort()).toEqual([...known.split(" "), "init", "resume"].sort());
  });
});

let root = "";
let said = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "robot-eval-outputs-"));
  mkdirSync(join(root, "folder"));
  writeFileSync(join(root, "file"), "precious");
  symlinkSync(join(root, "file"), join(root, "link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  try {
    execFileSync("mknod", [join(root, "device"), "c", "1", "3"], { stdio: "ignore" });
  } catch {
    // Only root can create one; for others, the remaining special files are tested.
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  said = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      said += chunk;
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

function modeOf(path: string): number | undefined {
  return existsSync(dirname(path)) && dirname(path) !== join(root, "file")
    ? lstatSync(path, { throwIfNoEntry: false })?.mode
    : undefined;
}

describe.skipIf(process.platform !== "linux")("an unusable output path", () => {
  it.each(outputs.map((output) => [output.command.name(), output.name, output] as const))(
    "%s %s rejects special files and impossible paths before anything is read",
    async (_, __, { command, kind, args }) => {
      const places = ["pipe", "device", "link", "file/below"].map((name) => join(root, name));
      places.push("/proc/robot-eval", "/proc/robot-eval/below", "/sys/robot-eval");
      places.push(join(root, kind === "file" ? "folder" : "link"));
      for (const place of places) {
        const before = modeOf(place);
        if (before === undefined && place.endsWith("device")) continue;
        said = "";
        process.exitCode = undefined;
        await runProgram([command.name(), ...args(place)]);
        expect(said).toMatch(/cannot be written: /);
        expect(process.exitCode).toBe(2);
        expect(modeOf(place)).toBe(before);
      }
    },
  );
});
