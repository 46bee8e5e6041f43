import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { categoryOfName, snakeCase } from "../category-of-name.js";
import { checkWithin, mayLookAt } from "../within.js";

/** HSSD's tables of object categories, with the columns `id` and `main_category` among others. */
const TABLES = ["semantics/objects.csv", "metadata/object_categories_filtered.csv"];

interface ObjectCategories {
  /** The category of a data set's object: from the data set's table, otherwise from its name. */
  of(name: string): string;
  /** The tables that exist. */
  readonly files: readonly string[];
}

export async function objectCategories(root: string): Promise<ObjectCategories> {
  const table = new Map<string, string>();
  const files: string[] = [];
  for (const path of TABLES.map((name) => join(root, name)).filter(mayLookAt)) {
    await checkWithin(path);
    let text: string;
    try {
      text = await readFile(path, "utf8");
      files.push(path);
    } catch {
      continue;
    }
    const [head = [], ...rows] = text.split(/\r?\n/).map(cells);
    const id = head.indexOf("id");
    const category = ["main_category", "clean_category"]
      .map((c) => head.indexOf(c))
      .find((i) => i >= 0);
    if (id < 0 || category === undefined) continue;
    for (const row of rows) {
      const word = row[category];
      if (word) table.set(row[id] ?? "", snakeCase(word));
    }
  }
  const of = (name: string): string => {
    const plain = name.split("/").at(-1) ?? name;
    const listed = table.get(plain) ?? table.get(plain.replace(/_part_\d+$/, ""));
    if (listed === undefined) return categoryOfName(plain.replace(/^frl_apartment_/, ""));
    const mapped = categoryOfName(listed);
    // Another data set's category name is more informative than `unknown`.
    return mapped === "unknown" ? listed : mapped;
  };
  return { of, files };
}

/** Splits a row of CSV; cells that contain commas are quoted. */
function cells(line: string): string[] {
  return [...line.matchAll(/("((?:[^"]|"")*)"|[^,]*)(,|$)/g)]
    .slice(0, -1)
    .map(([, raw = "", quoted]) => (quoted === undefined ? raw : quoted.replaceAll('""', '"')));
}
