import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkOutput, makeFolder } from "../../config/output-path.js";
import { PACKAGE_ROOT } from "../../config/package-root.js";
import { ConfigError, errorCode, errorMessage } from "../../core/errors.js";
import { PACKAGE_VERSION } from "../../runs/directory/versions.js";
import { CliCommand } from "../cli-command.js";
import { printResult, say } from "../output.js";
import { OutputArgument } from "../output-option.js";

/** The project template, a working project in this package. */
const TEMPLATE = join(PACKAGE_ROOT, "examples", "project");
const COPIED = ["README.md", "benchmark.yaml", "plugin.ts", "policy.py", "tsconfig.json"];
const SCHEMA = "benchmark.schema.json";

export function initCommand(): CliCommand {
  return new CliCommand("init")
    .addArgument(new OutputArgument("<folder>", "a new or empty folder", "parent"))
    .option("--json", "print one JSON document")
    .remarks(`
The project has a benchmark, a plugin in TypeScript with a task and a metric, and a policy in Python.

Examples:
  robot-eval init my-benchmark
  robot-eval run my-benchmark/benchmark.yaml`)
    .action(init);
}

async function init(folder: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const files = await projectFiles();
  await makeEmpty(folder);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { flag: "wx" }).catch(unwritable(folder));
  }
  const written = Object.keys(files).map((name) => join(folder, name));
  printResult(json, { folder, files: written }, () => written.join("\n"));
  say(`run it: robot-eval run ${join(folder, "benchmark.yaml")}`);
}

/** Reads all files before anything is written. */
async function projectFiles(): Promise<Readonly<Record<string, string>>> {
  const copies = COPIED.map(async (name) => [name, await readFile(join(TEMPLATE, name), "utf8")]);
  const project: Record<string, string> = Object.fromEntries(await Promise.all(copies));
  return {
    ...project,
    // Refer to a copy of the schema, so that the project works in any folder.
    "benchmark.yaml": String(project["benchmark.yaml"]).replace(
      /\$schema=\S+/,
      `$schema=./${SCHEMA}`,
    ),
    [SCHEMA]: await readFile(join(PACKAGE_ROOT, "configs", SCHEMA), "utf8"),
    "package.json": `${JSON.stringify(MANIFEST, null, 2)}\n`,
    ".gitignore": "node_modules/\nruns/\n__pycache__/\n",
  };
}

const MANIFEST = {
  private: true,
  type: "module",
  scripts: { start: "robot-eval run benchmark.yaml" },
  dependencies: { "robot-eval": `^${PACKAGE_VERSION}` },
};

async function makeEmpty(folder: string): Promise<void> {
  checkOutput(folder, "parent");
  const found = await readdir(folder).catch((cause: unknown) => {
    if (errorCode(cause) === "ENOENT") return [];
    return unwritable(folder)(cause);
  });
  if (found.length > 0) {
    const shown = found.slice(0, 3).join(", ");
    const more = found.length > 3 ? ` and ${found.length - 3} more` : "";
    throw new ConfigError("folder_not_empty", `the folder is not empty: it holds ${shown}${more}`, {
      where: folder,
      hint: "choose a new or empty folder; nothing was written",
    });
  }
  makeFolder(folder);
}

function unwritable(folder: string): (cause: unknown) => never {
  return (cause) => {
    throw new ConfigError("unwritable_folder", `cannot write there: ${errorMessage(cause)}`, {
      where: folder,
      hint: "choose a writable folder",
      cause,
    });
  };
}
