import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { benchmarkNames } from "../../config/named.js";
import { COMMANDS } from "../command-table.js";

/** Folder of runs if a benchmark names no other. */
const RUNS = "runs";
/** Candidates are lines on a terminal. The scripts quote all other characters. */
const CONTROL_CHARACTER = /\p{Cc}/u;
/** Commands whose runs are in a database. */
const ON_A_CLUSTER: ReadonlySet<string> = new Set(["pull", "control", "status"]);

/**
 * What can complete the last of the words after `robot-eval`.
 *
 * @param words the words of the command line up to the cursor; the last one is being typed and may be empty
 * @param folder the working directory
 */
export async function candidatesFor(
  words: readonly string[],
  folder = ".",
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const all = await allFor(before, typed, folder);
  return all.filter((candidate) => candidate.startsWith(typed));
}

async function allFor(
  before: readonly string[],
  typed: string,
  folder: string,
): Promise<readonly string[]> {
  const [name, ...rest] = before;
  if (name === undefined) return [...Object.keys(COMMANDS), "help", "--help", "--version"];
  if (name === "help") return Object.keys(COMMANDS);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) return [];
  const command = (await entry.load())();
  const { awaited, given } = read(command, rest);
  if (awaited) return valuesOf(awaited);
  const assigned = command.options.find(({ long }) => typed.startsWith(`${long}=`));
  if (assigned) return valuesOf(assigned).map((value) => `${assigned.long}=${value}`);
  if (typed.startsWith("-")) {
    return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
  }
  return argumentsOf(command, given, folder);
}

/** The option whose value is being typed, if any, and the number of arguments before it. */
function read(command: Command, words: readonly string[]) {
  let awaited: Option | undefined;
  let given = 0;
  for (const word of words) {
    if (awaited) awaited = undefined;
    else if (word.startsWith("-")) {
      const option = command.options.find(({ long, short }) => word === long || word === short);
      if (option && (option.required || option.optional)) awaited = option;
    } else given++;
  }
  return { awaited, given };
}

function valuesOf({ argChoices, long }: Option): readonly string[] {
  if (argChoices) return argChoices;
  return long === "--benchmark" ? benchmarkNames() : [];
}

function argumentsOf(command: Command, given: number, folder: string): readonly string[] {
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  const argument = all[given] ?? (last?.variadic ? last : undefined);
  if (!argument) return [];
  if (argument.argChoices) return argument.argChoices;
  if (argument.name() === "benchmark") return benchmarkNames();
  const isRun = /^runs?\b/.test(argument.name()) && !ON_A_CLUSTER.has(command.name());
  return isRun ? recordedRuns(folder) : [];
}

/** Runs of the working directory, newest first, as paths. */
function recordedRuns(folder: string): readonly string[] {
  const runs = join(folder, RUNS);
  if (!existsSync(runs)) return [];
  return readdirSync(runs, { withFileTypes: true })
    .filter((entry) => !CONTROL_CHARACTER.test(entry.name) && entry.isDirectory())
    .filter(({ name }) => existsSync(join(runs, name, "run.json")))
    .map(({ name }) => `${RUNS}/${name}`)
    .sort()
    .reverse();
}
