import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { categoryOfName } from "./category-of-name.js";

/** HSSD's tables of what its objects are, by their name: `id` and `main_category` among the columns. */
const TABLES = ["semantics/objects.csv", "metadata/object_categories_filtered.csv"];

interface ObjectCategories {
  /** What an object of a data set is: by the set's own table, else by its name. */
  of(name: string): string;
  /** The tables that are there. */
  readonly files: readonly string[];
}

export async function objectCategories(root: string): Promise<ObjectCategories> {
  const table = new Map<string, string>();
  const files: string[] = [];
  for (const path of TABLES) {
    let text: string;
    try {
      text = await readFile(join(root, path), "utf8");
      files.push(join(root, path));
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
      if (word)
        table.set(
          row[id] ?? "",
          word
            .trim()
            .toLowerCase()
            .replaceAll(/[\s-]+/g, "_"),
        );
    }
  }
  const of = (name: string): string => {
    const plain = name.split("/").at(-1) ?? name;
    const said = table.get(plain) ?? table.get(plain.replace(/_part_\d+$/, ""));
    if (said === undefined) return categoryOfName(plain.replace(/^frl_apartment_/, ""));
    const ours = categoryOfName(said);
    // Another set's word for a thing says more than `unknown`.
    return ours === "unknown" ? said : ours;
  };
  return { of, files };
}

/** A row of CSV: commas between cells, quotes around those that have some inside. */
function cells(line: string): string[] {
  return [...line.matchAll(/("((?:[^"]|"")*)"|[^,]*)(,|$)/g)]
    .slice(0, -1)
    .map(([, raw = "", quoted]) => (quoted === undefined ? raw : quoted.replaceAll('""', '"')));
}
