import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { IS_SOAK } from "../support/sampled.js";
import { ENTRIES } from "./entries.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** An exported name with the file that declares it. */
interface ExportedName {
  /** As the entry exports it. */
  readonly name: string;
  /** As its file declares it. */
  readonly declared: string;
  readonly file: string;
}

/** The names that an entry re-exports from other files, types included. */
function exportedNames(entry: string): ExportedName[] {
  const text = readFileSync(entry, "utf8").replace(/\/\/.*$/gm, "");
  const exports = text.matchAll(/^export (?:type )?\{([^}]+)\} from "([^"]+)";/gm);
  return [...exports].flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((part) => part.trim().replace(/^type /, ""))
      .filter((part) => part !== "")
      .map((part) => {
        const [declared = "", name = declared] = part.split(" as ");
        return { name, declared, file: resolve(dirname(entry), from.replace(/\.js$/, ".ts")) };
      }),
  );
}

/** The TSDoc comment of an exported function or class: its purpose and its examples. */
function docOf({ declared, file }: ExportedName): { purpose: string; examples: string[] } {
  const declaration = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export (?:abstract |async )?(?:class|function\\*?) ${declared}\\b`,
  );
  const comment = declaration.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  const text = comment.replace(/^[ \t]*\* ?/gm, "").trim();
  const [purpose = "", ...tags] = text.split(/^@/m);
  return {
    purpose: purpose.trim(),
    examples: tags.filter((tag) => /^example\s/.test(tag)).map((tag) => tag.slice(8).trim()),
  };
}

/** An example as a module. Names of its entry are imported, unless it does so itself. */
function moduleOf(example: string, entry: string, names: readonly ExportedName[]): string {
  const used = names
    .map(({ name }) => name)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(example));
  return `import { ${used.join(", ")} } from "${entry}";\n${example}\n`;
}

/** Type-checks modules by name in one program and returns the errors of the compiler. */
function typeErrors(modules: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "api-examples-"));
  try {
    for (const [name, text] of modules) writeFileSync(join(folder, name), text);
    const options = {
      paths: Object.fromEntries([...ENTRIES].map(([name, file]) => [name, [file]])),
      typeRoots: [join(root, "node_modules/@types")],
      // An example may use a type without `type` in its import.
      verbatimModuleSyntax: false,
      isolatedModules: false,
    };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions: options };
    const project = join(folder, "tsconfig.json");
    writeFileSync(project, JSON.stringify({ ...config, include: ["*.mts"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const documented = await Promise.all(
  [...ENTRIES].map(async ([entry, file]) => {
    const values: Record<string, unknown> = await import(file);
    const names = exportedNames(file);
    const documentedNames = names.filter(({ name }) => typeof values[name] === "function");
    return { entry, values, names, functions: documentedNames };
  }),
);

describe.each(documented)("the entry $entry", ({ entry, values, names, functions }) => {
  it("a public entry re-exports every name from the file that declares it", () => {
    const known = names.map(({ name }) => name);
    expect(Object.keys(values).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("a public entry states the purpose of every exported function and class", () => {
    const without = functions.filter((one) => docOf(one).purpose === "");
    expect(without.map(({ name }) => `${entry}: ${name}`)).toEqual([]);
  });

  it("a public entry has an example of every exported function and class", () => {
    const without = functions.filter((one) => docOf(one).examples.length === 0);
    expect(without.map(({ name }) => `${entry}: ${name}`)).toEqual([]);
  });
});

it.runIf(IS_SOAK)(
  "every example of an exported function or class compiles",
  () => {
    const modules = documented.flatMap(({ entry, names, functions }) =>
      functions.flatMap((one) =>
        docOf(one).examples.map((example, i): [string, string] => [
          `${entry.replace("/", "-")}.${one.name}.${i}.mts`,
          moduleOf(example, entry, names),
        ]),
      ),
    );
    expect(modules.length).toBeGreaterThan(60);
    expect(typeErrors(new Map(modules))).toBe("");
  },
  300_000,
);

it("the main entry has at most 150 names", () => {
  expect(exportedNames(join(root, "src/index.ts")).length).toBeLessThanOrEqual(150);
});
