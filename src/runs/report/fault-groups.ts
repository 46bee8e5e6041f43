import type { EpisodeLine, Fault, Outcome } from "../../core/interfaces/result.js";

/** Number of distinct faults; further ones are counted with the last. */
const MOST_KINDS = 100;
const EXAMPLES = 3;
const LONGEST_MESSAGE = 500;

/** Episodes with the same fault, code and message. */
export interface FaultGroup {
  readonly fault: Fault;
  readonly code: string;
  readonly message: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Keys of the first few episodes, in file order. */
  readonly examples: readonly string[];
}

interface Growing extends FaultGroup {
  readonly outcomes: Record<Outcome, number>;
  readonly examples: string[];
}

/** Groups faults by responsible side, code and message. */
export class FaultGroups {
  readonly #groups = new Map<string, Growing>();

  add({ outcome, fault, error, explanation, episode_key }: EpisodeLine): void {
    if (outcome !== "invalid" && fault === undefined) return;
    const { code = "unknown", message = explanation } = error ?? {};
    const group = this.#find(fault ?? "platform", code, String(message).slice(0, LONGEST_MESSAGE));
    group.outcomes[outcome]++;
    if (group.examples.length < EXAMPLES) group.examples.push(episode_key);
  }

  /** Most frequent first. */
  get groups(): readonly FaultGroup[] {
    return [...this.#groups.values()].sort((a, b) => count(b) - count(a));
  }

  #find(fault: Fault, code: string, message: string): Growing {
    const full = this.#groups.size >= MOST_KINDS;
    let key = `${fault}\n${code}\n${message}`;
    if (!this.#groups.has(key) && full) key = "other";
    let group = this.#groups.get(key);
    if (!group) {
      const outcomes = { success: 0, failure: 0, invalid: 0 };
      const what = key === "other" ? { code: "other", message: "other faults" } : { code, message };
      group = { fault, ...what, outcomes, examples: [] };
      this.#groups.set(key, group);
    }
    return group;
  }
}

function count({ outcomes }: FaultGroup): number {
  return outcomes.invalid + outcomes.failure + outcomes.success;
}
