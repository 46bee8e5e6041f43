import type { Moment } from "./moment.js";
import type { RuleLeaf, RuleTree } from "./parse.js";

/** The result of a part of a rule at a control step. */
interface Outcome {
  readonly holds: boolean;
  readonly value: number;
  readonly threshold: number;
}

/** A part of a rule, with its state from step to step. */
export interface RuleNode {
  /** Name of its condition in records. */
  readonly name: string;
  /** Evaluates a step; repeated calls for one step return the same result. Steps must be consecutive. */
  at(moment: Moment, step: number): Outcome;
}

/** Creates the nodes of rules. Equal parts share a node, so that each is computed once per step. */
export class RuleNodes {
  readonly #known = new Map<string, RuleNode>();

  node(tree: RuleTree): RuleNode {
    const key = keyOf(tree);
    const known = this.#known.get(key);
    if (known) return known;
    const node = this.#create(tree);
    this.#known.set(key, node);
    return node;
  }

  /** The parts that are reported as conditions: leaves, `once`, `sequence` and `not`. */
  conditions(tree: RuleTree): readonly RuleNode[] {
    switch (tree.kind) {
      case "all":
      case "any":
        return tree.parts.flatMap((part) => this.conditions(part));
      case "hold":
        return this.conditions(tree.part);
      default:
        return [this.node(tree)];
    }
  }

  #create(tree: RuleTree): RuleNode {
    switch (tree.kind) {
      case "leaf":
        return nodeOf(tree.name, (moment) => tree.predicate.measure(tree.params, moment));
      case "all":
      case "any":
        return combined(
          tree.kind,
          tree.parts.map((part) => this.node(part)),
        );
      case "sequence":
        return sequence(tree.parts.map((part) => this.node(part)));
      case "not": {
        const part = this.node(tree.part);
        return nodeOf(`not ${part.name}`, (moment, step) => {
          const { value, threshold, holds } = part.at(moment, step);
          return { value, threshold, holds: !holds };
        });
      }
      case "hold":
        return hold(this.node(tree.part), tree.steps);
      case "once":
        return tree.part.kind === "leaf" ? onceLeaf(tree.part) : once(this.node(tree.part));
    }
  }
}

function keyOf(tree: RuleTree): string {
  return JSON.stringify(tree, (key, value) => (key === "predicate" ? value.name : value));
}

/** A node that computes each step once. */
function nodeOf(name: string, next: (moment: Moment, step: number) => Outcome): RuleNode {
  let current = -1;
  let outcome: Outcome | undefined;
  return {
    name,
    at(moment, step) {
      if (outcome && current === step) return outcome;
      current = step;
      outcome = next(moment, step);
      return outcome;
    },
  };
}

/** Evaluates every part, even if the first decides, because parts keep state between steps. */
function combined(kind: "all" | "any", parts: readonly RuleNode[]): RuleNode {
  const name = parts.map((part) => part.name).join(kind === "all" ? " and " : " or ");
  return nodeOf(name, (moment, step) => {
    let count = 0;
    for (const part of parts) if (part.at(moment, step).holds) count++;
    return outcomeOf(kind === "all" ? count === parts.length : count > 0);
  });
}

/** `once` of a predicate: its value is the best so far. */
function onceLeaf({ name, predicate, params }: RuleLeaf): RuleNode {
  let best: number | undefined;
  let held = false;
  return nodeOf(name, (moment) => {
    const { value, threshold, bound, holds } = predicate.measure(params, moment);
    const better = bound === "at_least" ? Math.max : Math.min;
    best = best === undefined ? value : better(best, value);
    held ||= holds;
    return { value: best, threshold, holds: held };
  });
}

function once(part: RuleNode): RuleNode {
  let held = false;
  return nodeOf(part.name, (moment, step) => {
    if (part.at(moment, step).holds) held = true;
    return outcomeOf(held);
  });
}

/** Its value is the number of parts done so far. */
function sequence(parts: readonly RuleNode[]): RuleNode {
  let done = 0;
  return nodeOf("sequence", (moment, step) => {
    // Every part is evaluated at every step, because parts keep state between steps.
    const holds = parts.map((part) => part.at(moment, step).holds);
    while (done < parts.length && holds[done]) done++;
    return { value: done, threshold: parts.length, holds: done === parts.length };
  });
}

function hold(part: RuleNode, steps: number): RuleNode {
  let count = 0;
  return nodeOf(part.name, (moment, step) => {
    count = part.at(moment, step).holds ? count + 1 : 0;
    return { value: count, threshold: steps, holds: count >= steps };
  });
}

function outcomeOf(holds: boolean): Outcome {
  return { holds, value: holds ? 1 : 0, threshold: 1 };
}
