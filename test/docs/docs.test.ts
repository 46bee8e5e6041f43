import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { CATALOGS } from "../../src/cli/catalog.js";
import { resultText } from "../../src/cli/results.js";
import { loadConfig, parseConfig } from "../../src/config/load.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { createRegistries } from "../../src/registry/registries.js";
import type { CodeBlock } from "./page.js";
import { benchmark, page, pages, root, smoke } from "./pages.js";

const registries = createRegistries();

describe("every name is documented", () => {
  const documented: Record<keyof typeof CATALOGS, string> = {
    tasks: "docs/configuration.md",
    metrics: "docs/metrics.md",
    simulators: "docs/command-line.md",
    agents: "docs/configuration.md",
    robots: "docs/configuration.md",
    formats: "docs/datasets.md",
    results: "docs/results-import.md",
    profiles: "docs/metrics.md",
  };

  it.each(Object.entries(CATALOGS))("of the %s", (kind, catalog) => {
    const path = documented[kind];
    expect(path, `say here which page lists the ${kind}`).toBeDefined();
    const { text } = page(path ?? "");
    for (const entry of catalog(registries)) {
      const name = entry.name.split(":")[0] ?? "";
      expect(text, `${path} does not mention ${name}`).toMatch(
        new RegExp(`(?<![\\w-])${name.replaceAll("+", "\\+")}(?![\\w-])`),
      );
    }
  });
});

describe("links", () => {
  it.each(pages.map((one) => [one.path, one] as const))(
    "of %s lead somewhere",
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

describe("commands", () => {
  const commands = readdirSync(join(root, "src/cli/commands"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".ts".length));

  it("are all registered and documented, each under a heading of its own", () => {
    const program = readFileSync(join(root, "src/cli/program.ts"), "utf8");
    const { anchors } = page("docs/command-line.md");
    for (const command of commands) {
      expect(program).toContain(`./commands/${command}.js`);
      expect(anchors).toContain(command);
    }
  });

  it("that the documentation mentions exist", () => {
    for (const { path, code } of pages) {
      for (const [, command = ""] of code.matchAll(/robot-eval ([a-z][a-z-]*)/g)) {
        expect([...commands, "help"], `${path}: robot-eval ${command}`).toContain(command);
      }
    }
  });

  it("have their options documented, and no others", async () => {
    for (const command of commands) {
      const made: Record<string, () => Command> = await import(
        `../../src/cli/commands/${command}.ts`
      );
      const flags = flagsOf(made[`${command}Command`]?.());
      const section = page("docs/command-line.md").section(command);
      expect(flags.filter((flag) => !section.includes(flag))).toEqual([]);
      const rows = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map((match) => match[1] ?? "");
      expect(rows.filter((flag) => !flags.includes(flag))).toEqual([]);
    }
  });
});

/** Those of its own commands, where it has any, among them. */
function flagsOf(command: Command | undefined): readonly string[] {
  if (!command) throw new Error("the module of a command exports a function named after it");
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

  it("include benchmarks, or the marking has been lost", () => {
    expect(benchmarks.length).toBeGreaterThan(3);
  });

  const entries = {
    "robot-eval": "src/index.ts",
    "robot-eval/compat": "src/compat/index.ts",
    "robot-eval/generate": "src/generate/index.ts",
    "robot-eval/policy": "src/api/policy/index.ts",
    "robot-eval/protocol": "src/api/index.ts",
    "robot-eval/scenes": "src/simulator/scenes/index.ts",
  };
  const programs = blocks.filter(([, { info }]) => /^(ts|js)$/.test(info));
  it.each(programs)("%s imports what exists", (_, { text }) => {
    for (const [, names = "", from = ""] of text.matchAll(/import \{([^}]+)\} from "([^"]+)"/g)) {
      if (/^(\.|node:)/.test(from)) continue;
      const entry = readFileSync(join(root, entries[from as keyof typeof entries]), "utf8");
      for (const name of names.split(",").map((part) => part.trim())) {
        expect(entry).toMatch(new RegExp(`\\b${name}\\b`));
      }
    }
  });

  /** Several pages show the same run, which takes seconds. */
  const runs = new Map<string, Promise<string>>();
  const printed = (agent: string, file = benchmark): Promise<string> => {
    const key = `${file} ${agent}`;
    const known = runs.get(key);
    if (known) return known;
    const run = new UnifiedRobotEvaluator(loadConfig(file), { agent, outDir: null })
      .run()
      .then((results) => stripVTControlCharacters(resultText(results)));
    runs.set(key, run);
    return run;
  };
  const shown = [benchmark, smoke].flatMap((file) => {
    const { name } = loadConfig(file).config.benchmark;
    return blocks
      .filter(([, { text }]) => text.startsWith(`${name} · agent `))
      .map(([where, block]) => ({ where, block, file }));
  });
  it.each(shown)(
    "$where is what the command prints",
    { timeout: 120_000 },
    async ({ block: { text }, file }) => {
      const [, agent = ""] = /· agent (\S+)/.exec(text) ?? [];
      expect(text.trimEnd()).toBe(await printed(agent, file));
    },
  );

  it("include results", () => {
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.some(({ file }) => file === smoke)).toBe(true);
  });

  it("start with what `npm start` runs", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(scripts.start).toContain(relative(root, smoke));
  });

  it("the picture shows what the command prints", async () => {
    const svg = readFileSync(join(root, "docs/images/run.svg"), "utf8");
    const words = [...svg.matchAll(/<tspan[^>]*>([^<]*)</g)].map((match) => match[1] ?? "");
    const [command = "", ...drawn] = words;
    const [, agent = ""] = /--agent (\S+)/.exec(command) ?? [];
    const cells = (await printed(agent))
      .split("\n")
      .flatMap((line) => line.match(/\S+(?: \S+)*/g) ?? []);
    expect(drawn).toEqual(cells);
  });
});
