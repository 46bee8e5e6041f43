import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { resultText } from "../../src/cli/results.js";
import { loadConfig } from "../../src/config/load.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { benchmark, pages, root, smoke } from "../docs/pages.js";

/** Several pages show the same run, so its output is kept. */
const outputs = new Map<string, Promise<string>>();

function printed(agent: string, file = benchmark): Promise<string> {
  const key = `${file} ${agent}`;
  const known = outputs.get(key);
  if (known) return known;
  const output = new UnifiedRobotEvaluator(loadConfig(file), { agent, outDir: null })
    .run()
    .then((results) => stripVTControlCharacters(resultText(results)));
  outputs.set(key, output);
  return output;
}

/** The results that the documentation shows, whichever page they are on. */
const shown = [benchmark, smoke].flatMap((file) => {
  const { name } = loadConfig(file).config.benchmark;
  return pages.flatMap(({ path, blocks }) =>
    blocks
      // The output of stress tests and other commands begins in the same way, without this count.
      .filter(({ text }) => text.startsWith(`${name} · agent `) && / episodes: /.test(text))
      .map(({ line, text }) => ({ where: `${path}:${line}`, text, file })),
  );
});

describe("results in the documentation", () => {
  it("the documentation shows results of the smoke benchmark", () => {
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.some(({ file }) => file === smoke)).toBe(true);
  });

  it.each(shown)("results at $where match the output of the command", async ({ text, file }) => {
    const [, agent = ""] = /· agent (\S+)/.exec(text) ?? [];
    expect(text.trimEnd()).toBe(await printed(agent, file));
  });

  it("results in docs/images/run.svg match the output of the command", async () => {
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
