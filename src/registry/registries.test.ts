import { describe, expect, it } from "vitest";
import { RegistryError } from "../core/errors.js";
import { NavigationSuccess } from "../metrics/navigation/success.js";
import { VLNTask } from "../tasks/vln/task.js";
import {
  defaultRegistries,
  getMetric,
  getTask,
  listMetrics,
  listTasks,
  registerMetric,
  registerTask,
} from "./default.js";
import { createRegistries } from "./registries.js";

describe("built-in registries", () => {
  const { tasks, metrics, simulators, agents, formats, robots } = createRegistries();

  it("built-in registries contain the documented task types", () => {
    expect(tasks.list()).toEqual([
      "vln",
      "objectnav",
      "image_nav",
      "manipulation",
      "pick_place",
      "stacking",
      "opening",
      "rearrange",
      "external",
    ]);
  });

  it("built-in registries contain the documented metrics", () => {
    expect(metrics.list()).toEqual(
      expect.arrayContaining([
        "success",
        "spl",
        "dtw",
        "navigation_error",
        "manip_success",
        "completion_rate",
        "trajectory_similarity",
      ]),
    );
  });

  it("built-in registries contain a simulator, agents, formats and robots", () => {
    expect(simulators.list()).toContain("graph");
    expect(agents.list()).toEqual(expect.arrayContaining(["random", "shortest-path", "replay"]));
    expect(formats.list()).toEqual(expect.arrayContaining(["native", "r2r", "r2r-vlnce", "ndh"]));
    expect(robots.list()).toEqual(["stretch", "stretch_re1", "stretch_mobile", "panda"]);
  });

  it("built-in registries register each entry under its own name", () => {
    for (const type of tasks.list()) expect(tasks.get(type, {}).taskType).toBe(type);
    for (const type of tasks.list()) expect(tasks.nameOf(type)).toBe(tasks.get(type, {}).taskName);
    for (const name of metrics.list()) expect(metrics.get(name, {}).metricName).toBe(name);
    for (const [name, format] of formats.entries()) expect(format.name).toBe(name);
    for (const [name, robot] of robots.entries()) expect(robot.robotType).toBe(name);
  });

  it("built-in registries contain every metric that a task uses", () => {
    for (const type of tasks.list()) {
      const task = tasks.get(type, {});
      expect(metrics.has(task.primaryMetric)).toBe(true);
      expect(task.getMetrics()).toHaveLength(task.metricNames.length);
    }
  });

  it("built-in registries contain a simulator for each navigation task", () => {
    const families = [...simulators.entries()].flatMap(([, factory]) => factory.families);
    expect(families).toContain("navigation");
  });
});

describe("two sets of registries", () => {
  it("two sets of registries share nothing", () => {
    const [one, other] = [createRegistries(), createRegistries()];
    one.tasks.register("mine")(VLNTask);
    one.metrics.register("my_metric")(NavigationSuccess);
    expect(other.tasks.has("mine")).toBe(false);
    expect(other.metrics.has("my_metric")).toBe(false);
    expect(listTasks()).not.toContain("mine");
  });

  it("the metrics of a task are resolved in its own set of registries", () => {
    const registries = createRegistries();
    registries.metrics.register("my_metric")(NavigationSuccess);
    const task = registries.tasks.get("vln", { metrics: ["my_metric"] });
    expect(task.getMetrics()).toEqual([NavigationSuccess]);
    expect(() => getTask("vln", { metrics: ["my_metric"] }).getMetrics()).toThrow(RegistryError);
  });
});

describe("default registries", () => {
  it("the default registries are a single set with the built-ins", () => {
    expect(defaultRegistries()).toBe(defaultRegistries());
    expect(getTask("vln")).toBe(VLNTask);
    expect(getTask("vln", {})).toBeInstanceOf(VLNTask);
    expect(getMetric("success")).toBe(NavigationSuccess);
    expect(getMetric("success", {})).toBeInstanceOf(NavigationSuccess);
  });

  it("the default registries accept custom tasks and metrics", () => {
    registerTask("own_task", "Own")(VLNTask);
    registerMetric("own_metric")(NavigationSuccess);
    expect(listTasks()).toContain("own_task");
    expect(listMetrics()).toContain("own_metric");
    expect(() => registerTask("own_task")(VLNTask)).toThrow(RegistryError);
    expect(() => registerTask("vln")(VLNTask)).toThrow('the task "vln" is already registered');
  });
});
