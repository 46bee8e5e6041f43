import { PairedSequence, type PairedVerdict } from "../../stats/paired-sequence.js";

export interface DuelTask {
  readonly name: string;
  readonly kind: "rate" | "bounded";
  /** Episode keys in the drawn order. */
  readonly order: readonly string[];
  /** Whether a policy with lower values is the better one. */
  readonly isLowerBetter: boolean;
}

export interface DuelStateOptions {
  readonly tasks: readonly DuelTask[];
  /** Number of policies. */
  readonly policies: number;
  readonly margin?: number | undefined;
  /** The probability of any wrong verdict. */
  readonly alpha: number;
}

/** One policy's result of an episode. */
export interface DuelValue {
  /** Undefined if the episode is invalid. */
  readonly value: number | undefined;
  readonly isSolved: boolean;
}

/** Two policies of a duel on one task, by their positions. */
export interface Comparison {
  readonly task: string;
  readonly a: number;
  readonly b: number;
  readonly sequence: PairedSequence;
  /** The better policy, or `equivalent`; undefined while nothing is decided. */
  readonly verdict: number | "equivalent" | undefined;
}

interface TaskState extends DuelTask {
  readonly place: ReadonlyMap<string, number>;
  /** Values of each policy, keyed by the position in the order. */
  readonly values: readonly Map<number, DuelValue>[];
  readonly comparisons: MutableComparison[];
  /** Positions before this one have been compared. */
  frontier: number;
  /** The number of positions that count, for each policy. */
  readonly counted: number[];
}

type MutableComparison = { -readonly [K in keyof Comparison]: Comparison[K] };

/**
 * The state of a duel: the values of all policies, compared in the drawn order, and what follows from them. Values arrive
 * in any order; a position is compared when every policy that is still needed has its value. Verdicts therefore depend
 * neither on the number of workers nor on which episodes are quick.
 *
 * Tasks are decided one after the other. All pairs of policies on all tasks share the error α by Holm's method: with v
 * verdicts so far of C comparisons, each other one is tested with α / (C - v). A policy that is worse than another one on a
 * task is dropped from that task.
 * Source: Holm, Scandinavian Journal of Statistics 6 (1979); its proof holds for tests that are valid at any time.
 */
export class DuelState {
  readonly #tasks: readonly TaskState[];
  /** Index of the task that is being decided. */
  #current = 0;
  #verdicts = 0;
  #change = newChange();

  constructor(private readonly options: DuelStateOptions) {
    const { policies, margin } = options;
    this.#tasks = options.tasks.map((task) => ({
      ...task,
      place: new Map(task.order.map((key, i) => [key, i])),
      values: Array.from({ length: policies }, () => new Map()),
      comparisons: pairsOf(policies).map(([a, b]) => ({
        ...{ task: task.name, a, b, verdict: undefined },
        sequence: new PairedSequence({ kind: task.kind, maximum: task.order.length, margin }),
      })),
      frontier: 0,
      counted: new Array(policies).fill(0),
    }));
    this.#advance();
  }

  /** Resolves when the values fulfil a condition, or `signal` is aborted. */
  async until(isMet: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    const ended = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve(), { once: true, signal: ended.signal });
    });
    while (!isMet() && !signal?.aborted) await Promise.race([this.#change.promise, aborted]);
    ended.abort();
  }

  get comparisons(): readonly Comparison[] {
    return this.#tasks.flatMap(({ comparisons }) => comparisons);
  }

  get isOver(): boolean {
    return this.#current >= this.#tasks.length;
  }

  /** The error that each comparison may have, if all are to hold together. */
  get level(): number {
    return this.options.alpha / this.comparisons.length;
  }

  offer(policy: number, task: string, key: string, value: DuelValue): void {
    const state = this.#task(task);
    const position = state.place.get(key);
    if (position === undefined) throw new Error(`${key} is not an episode of the duel`);
    state.values[policy]?.set(position, value);
    this.#advance();
    const { resolve } = this.#change;
    this.#change = newChange();
    resolve();
  }

  /** Whether no further episode of a task is needed from a policy. */
  isOverFor(policy: number, task: string): boolean {
    const state = this.#task(task);
    const index = this.#tasks.indexOf(state);
    if (index < this.#current) return true;
    return index === this.#current && !needed(state).has(policy);
  }

  /** The number of positions, from the first, that count for a policy. */
  counted(policy: number, task: string): number {
    return this.#task(task).counted[policy] ?? 0;
  }

  /** The number of positions from the first one that is not compared yet to an episode. */
  distanceTo(task: string, key: string): number {
    const state = this.#task(task);
    const index = this.#tasks.indexOf(state);
    const before = this.#tasks
      .slice(this.#current, index)
      .reduce((sum, { order, frontier }) => sum + order.length - frontier, 0);
    return before + (state.place.get(key) ?? 0) - state.frontier;
  }

  /** Results of each compared episode that some but not all policies solved, by policy; undefined where one was dropped. */
  flipped(): readonly {
    readonly key: string;
    readonly solved: readonly (boolean | undefined)[];
  }[] {
    return this.#tasks.flatMap(({ order, values, counted }) =>
      order.slice(0, Math.max(...counted)).flatMap((key, position) => {
        const solved = values.map((own, policy) => {
          const found = position < (counted[policy] ?? 0) ? own.get(position) : undefined;
          return found?.value === undefined ? undefined : found.isSolved;
        });
        return solved.includes(true) && solved.includes(false) ? [{ key, solved }] : [];
      }),
    );
  }

  #task(name: string): TaskState {
    const found = this.#tasks.find((task) => task.name === name);
    if (!found) throw new Error(`${name} is not a task of the duel`);
    return found;
  }

  #advance(): void {
    for (;;) {
      const task = this.#tasks[this.#current];
      if (!task) return;
      const policies = needed(task);
      if (policies.size === 0 || task.frontier === task.order.length) {
        this.#current++;
        continue;
      }
      const position = task.frontier;
      if ([...policies].some((policy) => !task.values[policy]?.has(position))) return;
      for (const comparison of openIn(task)) {
        const a = task.values[comparison.a]?.get(position)?.value;
        const b = task.values[comparison.b]?.get(position)?.value;
        if (a !== undefined && b !== undefined) comparison.sequence.add(a, b);
      }
      task.frontier++;
      for (const policy of policies) task.counted[policy] = task.frontier;
      this.#decide(task);
    }
  }

  /** Repeats while there are verdicts, because each one leaves more error for the others. */
  #decide(task: TaskState): void {
    const { length } = this.comparisons;
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const comparison of openIn(task)) {
        const verdict = comparison.sequence.verdict(this.options.alpha / (length - this.#verdicts));
        if (!verdict) continue;
        comparison.verdict = betterOf(comparison, verdict, task.isLowerBetter);
        this.#verdicts++;
        isNew = true;
      }
    }
  }
}

function pairsOf(policies: number): (readonly [number, number])[] {
  const all = Array.from({ length: policies }, (_, i) => i);
  return all.flatMap((a) => all.slice(a + 1).map((b) => [a, b] as const));
}

/** Comparisons without a verdict whose policies are both still in the task. */
function openIn({ comparisons }: TaskState): MutableComparison[] {
  const losers = new Set(comparisons.flatMap((comparison) => loserOf(comparison) ?? []));
  return comparisons.filter(
    ({ a, b, verdict }) => verdict === undefined && !losers.has(a) && !losers.has(b),
  );
}

function needed(task: TaskState): ReadonlySet<number> {
  return new Set(openIn(task).flatMap(({ a, b }) => [a, b]));
}

/** Undefined without a better policy. */
export function loserOf({ a, b, verdict }: Comparison): number | undefined {
  if (verdict === undefined || verdict === "equivalent") return undefined;
  return verdict === a ? b : a;
}

function betterOf({ a, b }: Comparison, verdict: PairedVerdict, isLowerBetter: boolean) {
  if (verdict === "equivalent") return verdict;
  return (verdict === "a") === isLowerBetter ? b : a;
}

function newChange() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
