import { show } from "../core/errors.js";
import { conditionOf, type GoalCondition } from "./bddl-goal.js";
import { type Expression, type List, SourceText } from "./readers/s-expression.js";

/** A manipulation task in LIBERO's dialect of BEHAVIOR's BDDL (Liu et al., NeurIPS 2023). */
export interface BddlTask {
  readonly problem: string;
  readonly domain: string;
  readonly language: string;
  /** Name to kind: `plate_1` is a `plate`. */
  readonly objects: Readonly<Record<string, string>>;
  readonly fixtures: Readonly<Record<string, string>>;
  /** Keyed by full name, `<target>_<region>`, as used in `init` and `goal`. */
  readonly regions: Readonly<Record<string, Region>>;
  readonly objOfInterest: readonly string[];
  /** Each entry is a predicate and its arguments: `["On", "plate_1", "main_table_plate_region"]`. */
  readonly init: readonly (readonly string[])[];
  readonly goal: GoalCondition;
}

/** The properties of a region. Each is a list of tuples, mostly of numbers. */
interface Region {
  readonly target: string;
  /** `ranges`: `[x_min, y_min, x_max, y_max]`, metres on the target; `yaw_rotation`: radians. */
  readonly [property: string]: unknown;
}

export function parseBddl(text: string, file: string): BddlTask {
  const source = new SourceText(text, file);
  const whole = source.parse();
  const [define, ...parts] = whole.items;
  if (define?.kind !== "word" || define.text.toLowerCase() !== "define") {
    throw source.error(whole, 'expected "(define (problem ...) ...)"');
  }
  const reader = new Reader(source, sectionsOf(source, parts));
  const objects = reader.typed(":objects");
  const fixtures = reader.typed(":fixtures");
  const regions = reader.regions();
  const known = new Set([objects, fixtures, regions].flatMap((names) => Object.keys(names)));
  const goal = reader.required(":goal");
  const [condition, ...others] = goal.items.slice(1);
  if (!condition || others.length > 0) {
    throw source.error(goal, `expected one condition in (:goal ...), got ${goal.items.length - 1}`);
  }
  return {
    problem: reader.word("problem"),
    domain: reader.word(":domain"),
    language: reader.words(":language").join(" "),
    objects,
    fixtures,
    regions,
    objOfInterest: reader.words(":obj_of_interest"),
    init: reader.facts(":init"),
    goal: conditionOf(condition, source, known),
  };
}

function sectionsOf(source: SourceText, parts: readonly Expression[]): ReadonlyMap<string, List> {
  const sections = new Map<string, List>();
  for (const part of parts) {
    const [head] = part.kind === "list" ? part.items : [];
    if (part.kind !== "list" || head?.kind !== "word") {
      throw source.error(part, 'expected a section such as "(:goal ...)"');
    }
    const name = head.text.toLowerCase();
    if (sections.has(name)) throw source.error(part, `duplicate section (${name} ...)`);
    sections.set(name, part);
  }
  return sections;
}

class Reader {
  constructor(
    readonly source: SourceText,
    readonly sections: ReadonlyMap<string, List>,
  ) {}

  required(name: string): List {
    const section = this.sections.get(name);
    if (section) return section;
    const present = [...this.sections.keys()].join(", ");
    throw this.source.error(0, `section (${name} ...) is missing; the file has ${present}`);
  }

  words(name: string): string[] {
    return (this.sections.get(name)?.items ?? []).slice(1).map((item) => this.text(item));
  }

  word(name: string): string {
    const section = this.required(name);
    const [, item, ...others] = section.items;
    if (item && others.length === 0) return this.text(item);
    throw this.source.error(section, `expected one name in (${name} ...)`);
  }

  text(item: Expression): string {
    if (item.kind === "word") return item.text;
    throw this.source.error(item, "expected a word, got a list");
  }

  /** `a b - kind c - other` */
  typed(name: string): Record<string, string> {
    const kinds: Record<string, string> = {};
    let waiting: Expression[] = [];
    const items = (this.sections.get(name)?.items ?? []).slice(1);
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as Expression;
      if (this.text(item) !== "-") {
        waiting.push(item);
        continue;
      }
      const kind = items[++i];
      if (!kind || waiting.length === 0) {
        throw this.source.error(item, 'expected names before "-" and a kind after it');
      }
      for (const one of waiting) {
        const known = this.text(one);
        if (Object.hasOwn(kinds, known))
          throw this.source.error(one, `duplicate name ${show(known)}`);
        kinds[known] = this.text(kind);
      }
      waiting = [];
    }
    const [untyped] = waiting;
    if (untyped) throw this.source.error(untyped, `${show(this.text(untyped))} has no "- kind"`);
    return kinds;
  }

  regions(): Record<string, Region> {
    const regions: Record<string, Region> = {};
    for (const item of (this.sections.get(":regions")?.items ?? []).slice(1)) {
      const [name, ...properties] = item.kind === "list" ? item.items : [];
      if (!name) throw this.source.error(item, 'expected a region "(name (:target ...) ...)"');
      const { target, ...rest } = Object.fromEntries(properties.map((p) => this.property(p)));
      if (typeof target !== "string") {
        throw this.source.error(item, `region ${show(this.text(name))} has no (:target ...)`);
      }
      regions[`${target}_${this.text(name)}`] = { target, ...rest };
    }
    return regions;
  }

  /** `(:ranges ((0 0 1 1)))` */
  property(item: Expression): [string, unknown] {
    const [key, value, ...others] = item.kind === "list" ? item.items : [];
    if (key?.kind === "word" && key.text.startsWith(":") && value && others.length === 0) {
      return [key.text.slice(1), plain(value)];
    }
    throw this.source.error(item, 'expected a property "(:name value)"');
  }

  facts(name: string): string[][] {
    return (this.sections.get(name)?.items ?? []).slice(1).map((item) => {
      if (item.kind !== "list" || item.items.length === 0) {
        throw this.source.error(item, 'expected a fact such as "(On a b)"');
      }
      return item.items.map((word) => this.text(word));
    });
  }
}

function plain(item: Expression): unknown {
  if (item.kind === "list") return item.items.map(plain);
  const number = Number(item.text);
  return Number.isFinite(number) ? number : item.text;
}
