import { exposedNumber, exposition } from "./exposition.js";
import {
  checkHead,
  type Family,
  type FamilyHead,
  type Labels,
  type Sample,
  Series,
} from "./family.js";

/** A count that never decreases. */
export interface Counter {
  add(amount?: number, labels?: Labels): void;
}

/** A value that can increase and decrease. */
export interface Gauge {
  set(value: number, labels?: Labels): void;
}

/** Counts of observed durations or sizes by range. */
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** The metrics that a process exposes to Prometheus. */
export class MetricSet {
  readonly #families = new Map<string, Family>();

  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    const head = { name, help, type: "counter" } as const;
    const series = new Series(head, labels, () => 0);
    this.#register({ ...head, samples: () => plain(series) });
    return {
      add(amount = 1, at = {}) {
        if (!(amount >= 0))
          throw new RangeError(`${name} cannot increase by ${amount}; it must be 0 or more`);
        series.cell(at).value += amount;
      },
    };
  }

  gauge(name: string, help: string, labels: readonly string[] = []): Gauge {
    const head = { name, help, type: "gauge" } as const;
    const series = new Series(head, labels, () => 0);
    this.#register({ ...head, samples: () => plain(series) });
    return {
      set(value, at = {}) {
        series.cell(at).value = value;
      },
    };
  }

  /** `bounds` are the upper ends of the ranges, in increasing order; larger values are counted in `+Inf`. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: readonly string[] = [],
  ): Histogram {
    const head = { name, help, type: "histogram" } as const;
    if (!bounds.every((bound, i) => Number.isFinite(bound) && bound > (bounds[i - 1] ?? -Infinity)))
      throw new RangeError(`${name}: the bounds ${bounds.join(", ")} must be finite and increase`);
    const series = new Series(head, labels, () => new Buckets(bounds));
    this.#register({
      ...head,
      *samples() {
        for (const { labels: at, value } of series.cells()) yield* value.samples(at);
      },
    });
    return { observe: (value, at = {}) => series.cell(at).value.add(value) };
  }

  /** A value that is read each time the text is generated. */
  measured(head: FamilyHead, read: () => number): void {
    checkHead(head, []);
    this.#register({ ...head, samples: () => [{ suffix: "", labels: {}, value: read() }] });
  }

  /** All metrics in the text format 0.0.4. */
  text(): string {
    return exposition(this.#families.values());
  }

  #register(family: Family): void {
    if (this.#families.has(family.name))
      throw new RangeError(`the metric ${family.name} is already registered`);
    this.#families.set(family.name, family);
  }
}

function* plain(series: Series<number>): Iterable<Sample> {
  for (const { labels, value } of series.cells()) yield { suffix: "", labels, value };
}

class Buckets {
  readonly #bounds: readonly number[];
  /** One more than there are bounds: the last is for values above all of them. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    if (Number.isNaN(value)) return;
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const at = found < 0 ? this.#bounds.length : found;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** Buckets are cumulative: each counts all values up to its bound. */
  *samples(labels: Labels): Iterable<Sample> {
    let count = 0;
    for (const [i, own] of this.#counts.entries()) {
      count += own;
      const le = exposedNumber(this.#bounds[i] ?? Number.POSITIVE_INFINITY);
      yield { suffix: "_bucket", labels: { ...labels, le }, value: count };
    }
    yield { suffix: "_sum", labels, value: this.#sum };
    yield { suffix: "_count", labels, value: count };
  }
}
