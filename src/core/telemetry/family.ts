/** A series' labels. All series of a family have the same names. */
export type Labels = Readonly<Record<string, string>>;

export interface FamilyHead {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
}

export interface Sample {
  /** Appended to the family's name: empty, or `_bucket`, `_sum`, `_count`. */
  readonly suffix: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric of Prometheus: a name, a type, and one value for each combination of labels. */
export interface Family extends FamilyHead {
  samples(): Iterable<Sample>;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Throws a RangeError for an invalid name or label, when the metric is created. */
export function checkHead({ name, type }: FamilyHead, labels: readonly string[]): void {
  if (!NAME.test(name)) throw new RangeError(`"${name}" is not a valid metric name`);
  if ((type === "counter") !== name.endsWith("_total")) {
    throw new RangeError(`${name}: names of counters, and only those, must end in _total`);
  }
  for (const label of labels) {
    if (!LABEL.test(label)) throw new RangeError(`${name}: "${label}" is not a valid label name`);
    if (type === "histogram" && label === "le") {
      throw new RangeError(`${name}: the label le is reserved for a histogram's buckets`);
    }
  }
}

/** Values by combination of labels, in the order of first use. */
export class Series<T> {
  readonly #head: FamilyHead;
  readonly #names: readonly string[];
  readonly #make: () => T;
  readonly #cells = new Map<string, { readonly labels: Labels; value: T }>();

  constructor(head: FamilyHead, names: readonly string[], make: () => T) {
    checkHead(head, names);
    this.#head = head;
    this.#names = names;
    this.#make = make;
    // A family without labels has one series, which starts at 0 so that Prometheus can compute its rate.
    if (names.length === 0) this.cell({});
  }

  cell(labels: Labels): { readonly labels: Labels; value: T } {
    const values = this.#names.map((name) => labels[name]);
    if (values.includes(undefined) || Object.keys(labels).length !== this.#names.length) {
      const given = Object.keys(labels).join(", ") || "none";
      throw new RangeError(
        `${this.#head.name} has the labels ${this.#names.join(", ") || "none"}; given: ${given}`,
      );
    }
    const key = JSON.stringify(values);
    let cell = this.#cells.get(key);
    if (!cell) {
      cell = { labels, value: this.#make() };
      this.#cells.set(key, cell);
    }
    return cell;
  }

  cells() {
    return this.#cells.values();
  }
}
