import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/manipulation.js";

interface EpisodeWalks {
  readonly WALKS: Readonly<Record<string, readonly string[]>>;
  readonly walkProblems: (root: string) => readonly string[];
}

const load = (): Promise<EpisodeWalks> =>
  import(new URL("../../scripts/episode-walks.mjs", import.meta.url).href);

it("the files on the walk of an episode exist and import each other", async () => {
  const { walkProblems } = await load();
  expect(walkProblems(ROOT)).toEqual([]);
});

it("docs/architecture.md names the files of the evaluator and the simulators on the walk of an episode", async () => {
  const { WALKS } = await load();
  const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const files = Object.values(WALKS)
    .flat()
    .filter((file) => /^evaluator\/|-simulator\.ts$/.test(file));
  expect(files.filter((file) => !text.includes(basename(file)))).toEqual([]);
});
