import type { Random } from "../../core/math/random.js";

/** Common names for rooms and objects with other names in a scene, the plainest first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  corridor: ["corridor", "hallway"],
  couch: ["couch", "sofa"],
  fridge: ["fridge", "refrigerator"],
  tv_monitor: ["TV", "television"],
};

export const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"] as const;

const COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Chooses words at random, and uses the same name for the same object throughout a text. */
export class Wording {
  readonly #chosen = new Map<string, string>();

  constructor(readonly random: Random) {}

  name(kind: string): string {
    const known = this.#chosen.get(kind);
    if (known !== undefined) return known;
    const names = NAMES[kind] ?? [kind.replaceAll("_", " ")];
    const name = this.random.pick(names);
    this.#chosen.set(kind, name);
    return name;
  }

  /** Picks one of several phrasings. */
  pick(...ways: readonly string[]): string {
    return this.random.pick(ways);
  }

  chance(share: number): boolean {
    return this.random.uniform() < share;
  }
}

/** A distance in words, rounded to whole metres. */
export function metres(distance: number): string {
  const whole = Math.max(1, Math.round(distance));
  return `${COUNTS[whole - 1] ?? whole} ${whole === 1 ? "meter" : "meters"}`;
}

/** Joins clauses to one sentence: "A, b and c." */
export function sentence(clauses: readonly string[]): string {
  const [first = "", ...others] = clauses;
  const last = others.pop();
  const whole = last === undefined ? first : `${[first, ...others].join(", ")} and ${last}`;
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}.`;
}
