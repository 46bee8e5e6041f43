import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkWithin } from "../within.js";

/**
 * The files and folders below `root` that match a pattern of a data set's configuration: `*`, `?` and `[...]`
 * within one level, as in glob(3), which habitat-sim uses. Sorted; each level is one `readdir`, so links that
 * form a cycle cannot make it loop.
 */
export async function expandGlob(root: string, pattern: string): Promise<string[]> {
  let found = [root];
  for (const segment of pattern.split(/[\\/]+/)) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." || !/[*?[]/.test(segment)) {
      found = found.map((folder) => join(folder, segment));
      continue;
    }
    const matches = matcher(segment);
    const next: string[] = [];
    for (const folder of found) {
      for (const name of await entries(folder)) if (matches(name)) next.push(join(folder, name));
    }
    found = next;
  }
  return found;
}

/** The names in a folder, sorted; none if it is missing or not a folder. */
export async function entries(folder: string): Promise<string[]> {
  await checkWithin(folder);
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}

function matcher(segment: string): (name: string) => boolean {
  let source = "";
  for (let i = 0; i < segment.length; i++) {
    const char = segment[i] as string;
    const close = char === "[" ? segment.indexOf("]", i + 2) : -1;
    if (char === "*") source += ".*";
    else if (char === "?") source += ".";
    else if (close > 0) {
      const set = segment.slice(i + 1, close).replaceAll("\\", "\\\\");
      source += `[${set.replace(/^!/, "^")}]`;
      i = close;
    } else source += char.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
  }
  const pattern = compile(`^${source}$`);
  // A leading dot is matched only by a dot, as in a shell.
  return (name) => (segment.startsWith(".") || !name.startsWith(".")) && pattern.test(name);
}

/** A character class such as `[z-a]` is invalid and matches nothing. */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return /(?!)/;
  }
}
