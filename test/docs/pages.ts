import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Page } from "./page.js";

/** The project's root. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The benchmark whose results the documentation shows. */
export const benchmark = "vln_challenge";

/** The benchmark of `npm start`, which names its own agents. */
export const smoke = "unified_smoke";

export const pages: readonly Page[] = [
  "README.md",
  "README.zh-CN.md",
  "CONTRIBUTING.md",
  "data/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map((path) => new Page(path, readFileSync(join(root, path), "utf8")));

export function page(path: string): Page {
  const found = pages.find((candidate) => candidate.path === path);
  if (!found) throw new Error(`there is no ${path}`);
  return found;
}
