import { isRecord } from "../core/record.js";
import { suggestion } from "../core/registry.js";
import { type Finding, isNear } from "./issues.js";
import { type ConfigDocument, isTaskSection, TASK_SUFFIX, taskNameOf } from "./schema.js";

/** Names are used in `--set` paths, in `--agent a=...,b=...` and in file names. */
const TASK_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u;

/**
 * Checks that each `<x>_task` has a `dataset.<x>` and vice versa.
 * @param others earlier findings; one that explains a missing half is not reported again
 */
export function checkPairs(document: ConfigDocument, others: readonly Finding[]): Finding[] {
  const sections = Object.keys(document).filter(isTaskSection);
  const badlyNamed = sections.filter((section) => !TASK_NAME.test(taskNameOf(section)));
  const findings = badlyNamed.map((section) =>
    atKey(
      [section],
      "not a name for a task section",
      "a task section is called <x>_task, where <x> is letters, digits, _ and -",
    ),
  );
  const datasets = datasetNames(document);
  if (sections.length === 0 && !datasets?.length) {
    findings.push(
      atKey(
        [],
        "there is no task: a benchmark has at least one section called <x>_task",
        "for example vln_task, with `type: vln`, and its episodes in dataset.vln",
      ),
    );
  }
  // Without a valid dataset section, every task would be reported for the same problem.
  if (!datasets) return findings;

  const names = sections.filter((section) => !badlyNamed.includes(section)).map(taskNameOf);
  const tasksAlone = names.filter((name) => !datasets.includes(name));
  const datasetsAlone = datasets.filter((name) => !names.includes(name));
  const misspelt = others.filter((f) => f.kind === "unknown" && f.path.length === 1);
  for (const name of tasksAlone) {
    findings.push(
      atKey(
        [name + TASK_SUFFIX],
        `the task has no episodes: there is no dataset.${name}`,
        rename(name, datasetsAlone) ?? `add dataset.${name} with \`type\` and \`data_path\``,
      ),
    );
  }
  for (const name of datasetsAlone) {
    const section = name + TASK_SUFFIX;
    if (misspelt.some((f) => isNear(String(f.path[0]), section))) continue;
    findings.push(
      atKey(
        ["dataset", name],
        `the episodes belong to no task: there is no ${section}`,
        rename(name, tasksAlone) ??
          `add a section ${section} with \`type\`, or remove dataset.${name}`,
      ),
    );
  }
  return findings;
}

/** Names in the `dataset` section; undefined if it is missing or not a mapping. */
export function datasetNames({ dataset }: ConfigDocument): string[] | undefined {
  return isRecord(dataset) ? Object.keys(dataset) : undefined;
}

function rename(name: string, partners: readonly string[]): string | undefined {
  if (!partners.some((partner) => isNear(name, partner))) return undefined;
  return `task and dataset must have the same name; ${suggestion(name, partners)}`;
}

function atKey(path: readonly string[], problem: string, hint: string): Finding {
  return { path, problem, hint, at: "key" };
}
