import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../core/record.js";
import { categoryOfLabel, categoryOfName, snakeCase } from "../category-of-name.js";
import { checkWithin, mayLookAt } from "../within.js";
import { type Attributes, readConfig } from "./config-file.js";
import type { SceneDataset, Template } from "./dataset.js";
import { simpleName } from "./dataset.js";

/** HSSD's tables of object categories, with the columns `id` and `main_category` among others. */
const TABLES = ["semantics/objects.csv", "metadata/object_categories_filtered.csv"];

interface ObjectCategories {
  /**
   * The category of a data set's object: from the data set's table, else from its `semantic_id` and the data
   * set's list of classes, else from its name.
   */
  of(template: Template): string;
  /** The tables that exist. */
  readonly files: readonly string[];
}

export async function objectCategories(
  dataset: SceneDataset,
  scene: Attributes,
): Promise<ObjectCategories> {
  const files: string[] = [];
  const table = await readTables(dataset.root, files);
  const classes = await readClasses(dataset, scene, files);
  const of = ({ handle, attributes }: Template): string => {
    const plain = simpleName(handle);
    const listed = table.get(plain) ?? table.get(plain.replace(/_part_\d+$/, ""));
    const label = listed ?? classes.get(Number(attributes.semantic_id ?? Number.NaN));
    // Another data set's category name is more informative than `unknown`.
    if (label !== undefined) return categoryOfLabel(label);
    return categoryOfName(plain.replace(/^frl_apartment_/, ""));
  };
  return { of, files };
}

async function readTables(root: string, files: string[]): Promise<Map<string, string>> {
  const table = new Map<string, string>();
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
  return table;
}

/** ReplicaCAD's and HSSD's descriptor: `{"classes": [{"id": 5, "name": "basket"}]}`. */
async function readClasses(
  dataset: SceneDataset,
  scene: Attributes,
  files: string[],
): Promise<Map<number, string>> {
  const classes = new Map<number, string>();
  const handle = scene.semantic_scene_instance;
  const section = "semantic_scene_descriptor_instances";
  const file = typeof handle === "string" ? dataset.mapped(section, handle) : undefined;
  const json = file?.endsWith(".json") ? await readConfig(file) : undefined;
  if (file === undefined || json === undefined) return classes;
  files.push(file);
  for (const one of Array.isArray(json.classes) ? (json.classes as unknown[]) : []) {
    if (isRecord(one) && typeof one.id === "number" && typeof one.name === "string") {
      classes.set(one.id, one.name);
    }
  }
  return classes;
}

/** Splits a row of CSV; cells that contain commas are quoted. */
function cells(line: string): string[] {
  return [...line.matchAll(/("((?:[^"]|"")*)"|[^,]*)(,|$)/g)]
    .slice(0, -1)
    .map(([, raw = "", quoted]) => (quoted === undefined ? raw : quoted.replaceAll('""', '"')));
}
