import { describe, expect, it } from "vitest";
import { checkPairs } from "./pairs.js";

const found = (document: Readonly<Record<string, unknown>>) =>
  checkPairs(document, []).map(({ path, problem, hint }) => [path.join("."), problem, hint]);

describe("tasks and datasets", () => {
  it("tasks and datasets are paired by name, in any order", () => {
    expect(found({ b_task: {}, a_task: {}, dataset: { a: {}, b: {} } })).toEqual([]);
  });

  it("an error names the task and its dataset when one of them is missing", () => {
    expect(found({ vln_task: {}, dataset: {} })).toEqual([
      [
        "vln_task",
        "the task has no episodes: there is no dataset.vln",
        "add dataset.vln with `type` and `data_path`",
      ],
    ]);
    expect(found({ dataset: { vln: {} } })).toEqual([
      [
        "dataset.vln",
        "the episodes belong to no task: there is no vln_task",
        "add a section vln_task with `type`, or remove dataset.vln",
      ],
    ]);
  });

  it("an error suggests a task and a dataset to each other if their names are similar", () => {
    const hints = found({ objectnav_task: {}, dataset: { object_nav: {} } }).map(
      ([, , hint]) => hint,
    );
    expect(hints).toEqual([
      'task and dataset must have the same name; did you mean "object_nav"? valid: object_nav',
      'task and dataset must have the same name; did you mean "objectnav"? valid: objectnav',
    ]);
  });

  it("tasks are not reported again when the dataset section is missing or invalid", () => {
    expect(found({ vln_task: {} })).toEqual([]);
    expect(found({ vln_task: {}, dataset: [] })).toEqual([]);
  });

  it("a benchmark requires at least one task with its dataset", () => {
    const [[path, problem] = []] = found({ dataset: {} });
    expect(path).toBe("");
    expect(problem).toContain("at least one section called <x>_task");
  });

  it("the key of a task requires a name before _task", () => {
    expect(found({ _task: {}, dataset: {} })).toHaveLength(1);
  });
});
