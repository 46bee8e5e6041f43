import type { Random } from "../../core/math/random.js";

/** What people call rooms and things whose names in a scene are others, the plainest first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  corridor: ["corridor", "hallway"],
  couch: ["couch", "sofa"],
  fridge: ["fridge", "refrigerator"],
  tv_monitor: ["TV", "television"],
};

export const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"] as const;

const COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Says things in words of its own choice, and calls one thing the same throughout a text. */
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

  /** One of several ways to say the same. */
  pick(...ways: readonly string[]): string {
    return this.random.pick(ways);
  }

  chance(share: number): boolean {
    return this.random.uniform() < share;
  }
}

/** To the metre, as people pace it. */
export function metres(distance: number): string {
  const whole = Math.max(1, Math.round(distance));
  return `${COUNTS[whole - 1] ?? whole} ${whole === 1 ? "meter" : "meters"}`;
}

/** Clauses as one sentence: "A, b and c." */
export function sentence(clauses: readonly string[]): string {
  const [first = "", ...others] = clauses;
  const last = others.pop();
  const whole = last === undefined ? first : `${[first, ...others].join(", ")} and ${last}`;
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}.`;
}
