import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The source file of each entry of package.json, by the name that programs import: `robot-eval/policy`. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries<{ readonly default?: string }>(
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports,
  ).flatMap(([subpath, { default: built }]) =>
    built === undefined
      ? []
      : [
          [
            subpath.replace(/^\./, "robot-eval"),
            join(root, built.replace("./dist/", "src/").replace(/\.js$/, ".ts")),
          ],
        ],
  ),
);
