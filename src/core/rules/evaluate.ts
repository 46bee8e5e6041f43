import type { Moment } from "./moment.js";
import type { RuleLeaf, RuleTree } from "./parse.js";

/** How a part of a rule stands at a control step. */
interface Outcome {
  readonly holds: boolean;
  readonly value: number;
  readonly threshold: number;
}

/** A part of a rule that remembers what it needs from step to step. */
export interface RuleNode {
  /** As it is reported. */
  readonly name: string;
  /** The same step may be asked for several times; steps come in order, none left out. */
  at(moment: Moment, step: number): Outcome;
}

/** Makes nodes of rules. Equal parts share one, so that each is computed once a step. */
export class RuleNodes {
  readonly #known = new Map<string, RuleNode>();

  node(tree: RuleTree): RuleNode {
    const key = keyOf(tree);
    const known = this.#known.get(key);
    if (known) return known;
    const made = this.#make(tree);
    this.#known.set(key, made);
    return made;
  }

  /** The parts that are reported one by one, with their values: leaves, and what is latched or denied. */
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

  #make(tree: RuleTree): RuleNode {
    switch (tree.kind) {
      case "leaf":
        return new Leaf(tree);
      case "all":
      case "any":
        return new Several(
          tree.kind,
          tree.parts.map((part) => this.node(part)),
        );
      case "not":
        return new Not(this.node(tree.part));
      case "hold":
        return new Hold(this.node(tree.part), tree.steps);
      case "once":
        return tree.part.kind === "leaf" ? new BestLeaf(tree.part) : new Once(this.node(tree.part));
    }
  }
}

function keyOf(tree: RuleTree): string {
  return JSON.stringify(tree, (key, value) => (key === "predicate" ? value.name : value));
}

abstract class Remembering implements RuleNode {
  abstract readonly name: string;
  #step = -1;
  #outcome: Outcome | undefined;

  at(moment: Moment, step: number): Outcome {
    if (this.#outcome && this.#step === step) return this.#outcome;
    this.#step = step;
    this.#outcome = this.next(moment, step);
    return this.#outcome;
  }

  protected abstract next(moment: Moment, step: number): Outcome;
}

class Leaf extends Remembering {
  readonly name: string;
  readonly #leaf: RuleLeaf;

  constructor(leaf: RuleLeaf) {
    super();
    this.name = leaf.name;
    this.#leaf = leaf;
  }

  protected next(moment: Moment): Outcome {
    return this.#leaf.predicate.measure(this.#leaf.params, moment);
  }
}

/** `once` of a predicate: its value is the best so far. */
class BestLeaf extends Remembering {
  readonly name: string;
  readonly #leaf: RuleLeaf;
  #best: number | undefined;
  #held = false;

  constructor(leaf: RuleLeaf) {
    super();
    this.name = leaf.name;
    this.#leaf = leaf;
  }

  protected next(moment: Moment): Outcome {
    const { value, threshold, bound, holds } = this.#leaf.predicate.measure(
      this.#leaf.params,
      moment,
    );
    const better = bound === "at_least" ? Math.max : Math.min;
    this.#best = this.#best === undefined ? value : better(this.#best, value);
    this.#held ||= holds;
    return { value: this.#best, threshold, holds: this.#held };
  }
}

class Several extends Remembering {
  readonly name: string;
  readonly #parts: readonly RuleNode[];
  readonly #every: boolean;

  constructor(kind: "all" | "any", parts: readonly RuleNode[]) {
    super();
    this.#parts = parts;
    this.#every = kind === "all";
    this.name = parts.map((part) => part.name).join(this.#every ? " and " : " or ");
  }

  /** Evaluates every part, even if the first decides, because parts keep state between steps. */
  protected next(moment: Moment, step: number): Outcome {
    let count = 0;
    for (const part of this.#parts) if (part.at(moment, step).holds) count++;
    return outcome(this.#every ? count === this.#parts.length : count > 0);
  }
}

class Not extends Remembering {
  readonly name: string;
  readonly #part: RuleNode;

  constructor(part: RuleNode) {
    super();
    this.#part = part;
    this.name = `not ${part.name}`;
  }

  protected next(moment: Moment, step: number): Outcome {
    const { value, threshold, holds } = this.#part.at(moment, step);
    return { value, threshold, holds: !holds };
  }
}

class Once extends Remembering {
  readonly name: string;
  readonly #part: RuleNode;
  #held = false;

  constructor(part: RuleNode) {
    super();
    this.#part = part;
    this.name = part.name;
  }

  protected next(moment: Moment, step: number): Outcome {
    if (this.#part.at(moment, step).holds) this.#held = true;
    return outcome(this.#held);
  }
}

class Hold extends Remembering {
  readonly name: string;
  readonly #part: RuleNode;
  readonly #steps: number;
  #count = 0;

  constructor(part: RuleNode, steps: number) {
    super();
    this.#part = part;
    this.#steps = steps;
    this.name = part.name;
  }

  protected next(moment: Moment, step: number): Outcome {
    this.#count = this.#part.at(moment, step).holds ? this.#count + 1 : 0;
    return { value: this.#count, threshold: this.#steps, holds: this.#count >= this.#steps };
  }
}

function outcome(holds: boolean): Outcome {
  return { holds, value: holds ? 1 : 0, threshold: 1 };
}
