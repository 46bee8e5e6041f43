import { suggestion } from "../core/registry.js";
import { keysOf, schemaAt } from "./expectation.js";
import type { Finding } from "./issues.js";
import type { JsonSchema } from "./json-schema.js";
import { datasetNames } from "./pairs.js";
import { type ConfigDocument, isTaskSection, TASK_SUFFIX } from "./schema.js";
import type { ConfigPath } from "./source.js";

/**
 * Hint for an unknown key. Recognises keys that belong in another section, and misspelt task sections, which no
 * schema lists. Both get a better hint than the nearest spelling.
 *
 * @param valid the valid keys, if `json` does not list them
 */
export function hintForUnknownKey(
  finding: Finding,
  document: ConfigDocument,
  json: JsonSchema,
  valid: string[] = keysOf(schemaAt(json, finding.path.slice(0, -1))),
): Finding {
  if (finding.kind !== "unknown") return finding;
  const parent = finding.path.slice(0, -1);
  const key = String(finding.path.at(-1));
  if (parent.length === 0) valid.push(...absentTaskSections(document), `<x>${TASK_SUFFIX}`);
  const sections = sectionsWith(key, parent, json);
  const hint =
    sections.length > 0
      ? `\`${key}\` belongs ${sections.join(" or ")}; valid here: ${valid.join(", ")}`
      : suggestion(key, valid);
  return { ...finding, hint };
}

function absentTaskSections(document: ConfigDocument): string[] {
  const sections = (datasetNames(document) ?? []).map((name) => name + TASK_SUFFIX);
  return sections.filter((section) => !Object.hasOwn(document, section));
}

/** Sections that accept a key, as text: `in evaluation`, for a `max_steps` at the top level. */
function sectionsWith(key: string, parent: ConfigPath, json: JsonSchema): string[] {
  const first = String(parent[0] ?? "");
  const task = isTaskSection(first) ? first : `<x>${TASK_SUFFIX}`;
  const places: [text: string, path: ConfigPath][] = [
    ["at the top level of the file", []],
    [`in ${task}`, [task]],
    [`in ${task}.config`, [task, "config"]],
    ...keysOf(json).map((section): [string, ConfigPath] => [`in ${section}`, [section]]),
    ["in dataset.<x>", ["dataset", "x"]],
  ];
  return places
    .filter(([, path]) => {
      const schema = schemaAt(json, [...path, key]);
      return keysOf(schemaAt(json, path)).includes(key) && schema?.not === undefined;
    })
    .map(([text]) => text);
}
