import { Registry } from "../registry.js";
import type { BaseMetric, MetricClass, MetricConfig } from "./base.js";

/** Metrics by name. `register` works as a call and as a class decorator. */
export class MetricRegistry {
  readonly #metrics = new Registry<MetricClass>("metric");

  /**
   * @example registry.register("spl")(Spl)
   */
  register(metricName: string) {
    return <C extends MetricClass>(metricClass: C, _context?: ClassDecoratorContext<C>): C => {
      this.#metrics.register(metricName, metricClass);
      return metricClass;
    };
  }

  get(metricName: string): MetricClass;
  get(metricName: string, config: MetricConfig): BaseMetric;
  get(metricName: string, config?: MetricConfig): MetricClass | BaseMetric {
    const metricClass = this.#metrics.get(metricName);
    return config === undefined ? metricClass : new metricClass(config);
  }

  has(metricName: string): boolean {
    return this.#metrics.has(metricName);
  }

  list(): string[] {
    return this.#metrics.list();
  }
}
