import { describe, expect, it } from "vitest";
import { BareTask } from "../../../test/support/nav-task.js";
import { RegistryError } from "../errors.js";
import { BaseMetric, type MetricInfo } from "../metric/base.js";
import { MetricRegistry } from "../metric/registry.js";
import { TaskRegistry } from "./registry.js";

class Zero extends BaseMetric {
  readonly info: MetricInfo = {
    name: "zero",
    summary: "Always 0.",
    unit: "1",
    direction: "none",
    range: [0, 0],
    kind: "mean",
    needs: { state: [] },
  };
  reset(): void {}
  update(): void {}
  getMetric(): number {
    return 0;
  }
}

describe("the task registry", () => {
  it("the task registry registers by a call, and returns the class", () => {
    const tasks = new TaskRegistry();
    expect(tasks.register("bare", "Bare")(BareTask)).toBe(BareTask);
    expect(tasks.get("bare")).toBe(BareTask);
    expect(tasks.nameOf("bare")).toBe("Bare");
    expect(tasks.list()).toEqual(["bare"]);
    expect(tasks.has("bare")).toBe(true);
  });

  it("the task registry registers by a decorator, and names a task after its class when no name is given", () => {
    const tasks = new TaskRegistry();
    const taskOf = (type: string) => tasks.register(type);
    @taskOf("decorated")
    class DecoratedTask extends BareTask {}
    expect(tasks.get("decorated")).toBe(DecoratedTask);
    expect(tasks.nameOf("decorated")).toBe("DecoratedTask");
  });

  it("the task registry creates an instance when a config is given, even an empty one", () => {
    const tasks = new TaskRegistry();
    tasks.register("bare")(BareTask);
    expect(tasks.get("bare", {})).toBeInstanceOf(BareTask);
    expect(tasks.get("bare", { max_steps: 5 }).config).toEqual({ max_steps: 5 });
  });

  it("the task registry rejects a second task of the same type, and an unknown type", () => {
    const tasks = new TaskRegistry();
    tasks.register("bare")(BareTask);
    expect(() => tasks.register("bare")(BareTask)).toThrow(RegistryError);
    expect(() => tasks.get("bear")).toThrow('unknown task "bear"');
    expect(() => tasks.get("bear", {})).toThrow(RegistryError);
    expect(() => tasks.nameOf("bear")).toThrow(RegistryError);
  });

  it("the task registry gives the tasks that it creates access to its metric classes", () => {
    const metrics = new MetricRegistry();
    metrics.register("zero")(Zero);
    const tasks = new TaskRegistry({ metricClass: (name) => metrics.get(name) });
    tasks.register("bare")(BareTask);
    expect(tasks.get("bare", { metrics: ["zero"] }).getMetrics()).toEqual([Zero]);
    expect(() => tasks.get("bare", { metrics: ["zeor"] }).getMetrics()).toThrow(
      'unknown metric "zeor"',
    );
  });
});

describe("the metric registry", () => {
  it("the metric registry returns the class, or an instance if a config is given", () => {
    const metrics = new MetricRegistry();
    expect(metrics.register("zero")(Zero)).toBe(Zero);
    expect(metrics.get("zero")).toBe(Zero);
    const metric = metrics.get("zero", { scale: 2 });
    expect(metric).toBeInstanceOf(Zero);
    expect(metric.config).toEqual({ scale: 2 });
    expect(metric.metricName).toBe("zero");
    expect(metrics.list()).toEqual(["zero"]);
    expect(metrics.has("one")).toBe(false);
  });

  it("the metric registry registers by a decorator, and rejects a second registration", () => {
    const metrics = new MetricRegistry();
    const metricOf = (name: string) => metrics.register(name);
    @metricOf("nil")
    class Nil extends Zero {}
    expect(metrics.get("nil")).toBe(Nil);
    expect(() => metrics.register("nil")(Nil)).toThrow('the metric "nil" is already registered');
  });
});
