import { exposedNumber, exposition } from "./exposition.js";
import {
  checkHead,
  type Family,
  type FamilyHead,
  type Labels,
  type Sample,
  Series,
} from "./family.js";

/** Something that is counted. It never goes down. */
export interface Counter {
  add(amount?: number, labels?: Labels): void;
}

/** Something that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void;
}

/** How long or how large things were, counted into ranges. */
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** The numbers that a process tells about itself, written as Prometheus reads them. */
export class MetricSet {
  readonly #families = new Map<string, Family>();

  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    const head = { name, help, type: "counter" } as const;
    const series = new Series(head, labels, () => 0);
    this.#register({ ...head, samples: () => plain(series) });
    return {
      add(amount = 1, at = {}) {
        if (!(amount >= 0)) throw new RangeError(`${name} cannot go up by ${amount}`);
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

  /** `bounds` are the upper ends of the ranges, in rising order; what is larger is counted beside them. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: readonly string[] = [],
  ): Histogram {
    const head = { name, help, type: "histogram" } as const;
    if (!bounds.every((bound, i) => Number.isFinite(bound) && bound > (bounds[i - 1] ?? -Infinity)))
      throw new RangeError(`${name}: the bounds ${bounds.join(", ")} do not rise`);
    const series = new Series(head, labels, () => new Tally(bounds));
    this.#register({
      ...head,
      *samples() {
        for (const { labels: at, value } of series.cells()) yield* value.samples(at);
      },
    });
    return { observe: (value, at = {}) => series.cell(at).value.add(value) };
  }

  /** A number that is looked up when the page is asked for. */
  measured(head: FamilyHead, read: () => number): void {
    checkHead(head, []);
    this.#register({ ...head, samples: () => [{ suffix: "", labels: {}, value: read() }] });
  }

  /** The page, in the text format 0.0.4. */
  text(): string {
    return exposition(this.#families.values());
  }

  #register(family: Family): void {
    if (this.#families.has(family.name)) throw new RangeError(`${family.name} is there already`);
    this.#families.set(family.name, family);
  }
}

function* plain(series: Series<number>): Iterable<Sample> {
  for (const { labels, value } of series.cells()) yield { suffix: "", labels, value };
}

class Tally {
  readonly #bounds: readonly number[];
  /** One more than there are bounds. */
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

  /** Each bucket counts all that is not larger than its bound. */
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
