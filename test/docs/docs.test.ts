import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { CATALOGS } from "../../src/cli/catalog.js";
import { COMMANDS } from "../../src/cli/command-table.js";
import { parseConfig } from "../../src/config/load.js";
import { createRegistries } from "../../src/registry/registries.js";
import { ENTRIES } from "../structure/entries.js";
import type { CodeBlock } from "./page.js";
import { page, pages, root, smoke } from "./pages.js";

const registries = createRegistries();

describe("the documentation", () => {
  const documented: Record<keyof typeof CATALOGS, string> = {
    benchmarks: "docs/configuration.md",
    tasks: "docs/configuration.md",
    metrics: "docs/metrics.md",
    simulators: "docs/command-line.md",
    agents: "docs/configuration.md",
    robots: "docs/configuration.md",
    predicates: "docs/manipulation.md",
    presets: "docs/manipulation.md",
    axes: "docs/robustness.md",
    formats: "docs/datasets.md",
    results: "docs/results-import.md",
    profiles: "docs/metrics.md",
  };

  it.each(Object.entries(CATALOGS))(
    "the documentation mentions every name of the %s",
    (kind, catalog) => {
      const path = documented[kind];
      expect(path, `say here which page lists the ${kind}`).toBeDefined();
      const { text } = page(path ?? "");
      for (const entry of catalog(registries)) {
        const name = entry.name.split(":")[0] ?? "";
        expect(text, `${path} does not mention ${name}`).toMatch(
          new RegExp(`(?<![\\w-])${name.replaceAll("+", "\\+")}(?![\\w-])`),
        );
      }
    },
  );
});

describe("links", () => {
  it.each(pages.map((one) => [one.path, one] as const))(
    "all links of %s lead somewhere",
    (path, { links }) => {
      for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? join(root, path) : resolve(root, dirname(path), file);
        expect(existsSync(target), `${path} links to ${link}`).toBe(true);
        if (anchor === undefined) continue;
        const { anchors } = page(relative(root, target));
        expect(anchors, `${path} links to ${link}`).toContain(anchor);
      }
    },
  );
});

describe("the threat model", () => {
  const testsIn = (text: string) =>
    [...text.matchAll(/`([^`\s]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  const rows = page("docs/threat-model.md")
    .text.split("\n\n")
    .filter((table) => /^\| threat /.test(table))
    .flatMap((table) => table.trim().split("\n").slice(2))
    .map((line) => line.split("|").map((cell) => cell.trim()));

  it("the threat model names a test file that exists for every threat", () => {
    expect(rows.length).toBeGreaterThan(30);
    for (const [, threat, defence, tests = "", ...end] of rows) {
      expect([defence, ...end], `${threat} has other cells`).toEqual([
        expect.stringMatching(/\w/),
        "",
      ]);
      const files = testsIn(tests);
      expect(files, `${threat} names no test`).not.toEqual([]);
      for (const file of files)
        expect(existsSync(join(root, file)), `${threat}: ${file}`).toBe(true);
    }
  });

  it("the threat model names only test files that exist outside its tables too", () => {
    const files = testsIn(page("docs/threat-model.md").prose);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe("commands", () => {
  const commands = readdirSync(join(root, "src/cli/commands"), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => basename(name, ".ts"));

  it("all commands are in the table of commands and documented, each under its own heading", () => {
    expect(Object.keys(COMMANDS).toSorted()).toEqual(commands.toSorted());
    const { anchors } = page("docs/command-line.md");
    for (const command of commands) expect(anchors).toContain(command);
  });

  it.each(Object.entries(COMMANDS))(
    "%s has its own name and an example in its help",
    async (name, { load }) => {
      const command = (await load())();
      expect(command.name()).toBe(name);
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help).toMatch(new RegExp(`Examples?:\\n(?: .*\\n)*  robot-eval ${name}\\b`));
    },
  );

  it("every command that the documentation mentions exists", () => {
    for (const { path, code } of pages) {
      for (const [, command = ""] of code.matchAll(/robot-eval ([a-z][a-z-]*)/g)) {
        expect([...commands, "help"], `${path}: robot-eval ${command}`).toContain(command);
      }
    }
  });

  it("the options of each command are documented, and no others", async () => {
    for (const [command, { load }] of Object.entries(COMMANDS)) {
      const flags = flagsOf((await load())());
      const section = page("docs/command-line.md").section(command);
      expect(flags.filter((flag) => !section.includes(flag))).toEqual([]);
      const rows = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map((match) => match[1] ?? "");
      expect(rows.filter((flag) => !flags.includes(flag))).toEqual([]);
    }
  });
});

/** Includes the options of its subcommands. */
function flagsOf(command: Command): readonly string[] {
  const own = command.options.map(({ long }) => long ?? "");
  return [...own, ...command.commands.flatMap(flagsOf)];
}

describe("examples", () => {
  const blocks = pages.flatMap(({ path, blocks: own }) =>
    own.map((block): [string, CodeBlock] => [`${path}:${block.line}`, block]),
  );

  const benchmarks = blocks.filter(([, { info }]) => info === "yaml benchmark");
  it.each(benchmarks)("%s is a benchmark that loads", (where, { text }) => {
    expect(parseConfig(text, { file: where }).config.tasks).not.toEqual([]);
  });

  it("the documentation includes benchmarks marked as such", () => {
    expect(benchmarks.length).toBeGreaterThan(3);
  });

  const programs = blocks.filter(([, { info }]) => /^(ts|js)$/.test(info));
  it.each(programs)("the example %s imports only existing exports", (_, { text }) => {
    for (const [, names = "", from = ""] of text.matchAll(/import \{([^}]+)\} from "([^"]+)"/g)) {
      if (/^(\.|node:)/.test(from)) continue;
      const entry = readFileSync(ENTRIES.get(from) ?? "", "utf8");
      for (const name of names.split(",").map((part) => part.trim())) {
        expect(entry).toMatch(new RegExp(`\\b${name}\\b`));
      }
    }
  });

  it("the documentation includes the benchmark that npm start runs", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(scripts.start).toMatch(/&& node scripts\/start\.mjs$/);
    expect(readFileSync(join(root, "scripts/start.mjs"), "utf8")).toContain(`"run", "${smoke}"`);
  });
});
