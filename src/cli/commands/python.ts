import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../config/package-root.js";
import { RegistryError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import { CliCommand } from "../cli-command.js";
import { list } from "../options.js";
import { printResult } from "../output.js";

const FOLDER = join(PACKAGE_ROOT, "python");

interface PythonFlags {
  readonly extra?: readonly string[];
  readonly path?: boolean;
  readonly json?: boolean;
}

export function pythonCommand(): CliCommand {
  return new CliCommand("python")
    .option(
      "--extra <names>",
      "also install the extras of an adapter, such as sim or robosuite",
      list,
    )
    .option("--path", "print only the path to install, without `pip install`")
    .option("--json", "print one JSON document")
    .remarks(`
The client's source comes with robot-eval, so both always have the same version.

Examples:
  robot-eval python
  pip install "$(robot-eval python --path)"
  pip install "$(robot-eval python --path --extra robosuite)"`)
    .action(python);
}

function python({ extra = [], path = false, json = false }: PythonFlags): void {
  const extras = extrasIn(readFileSync(join(FOLDER, "pyproject.toml"), "utf8"));
  for (const name of extra) {
    if (extras.includes(name)) continue;
    throw new RegistryError("unknown_extra", `the Python client has no extra "${name}"`, {
      where: "--extra",
      hint: suggestion(name, extras),
    });
  }
  const requirement = extra.length > 0 ? `${FOLDER}[${extra.join(",")}]` : FOLDER;
  const command = `pip install ${quoted(requirement)}`;
  const document = { path: FOLDER, requirement, command, extras };
  printResult(json, document, () => (path ? requirement : command));
}

/** The names under `[project.optional-dependencies]`. */
function extrasIn(pyproject: string): string[] {
  const [, section = ""] =
    /^\[project\.optional-dependencies\]\n(.*?)(?=^\[)/ms.exec(pyproject) ?? [];
  return [...section.matchAll(/^([\w-]+) = /gm)].map(([, name = ""]) => name);
}

/** Quotes for a POSIX shell, in which brackets and spaces are special. */
function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
