import { ProtocolError, show } from "../errors.js";
import { type Action, actionArgument, actionName, STOP } from "../interfaces/action.js";
import type { Random } from "../math/random.js";
import { suggestion } from "../registry.js";
import { hasControl } from "../text.js";

/** Maximum length of an action's name with its argument, ten times that of the longest viewpoint names. */
const MAX_CHARACTERS = 1000;

/** Lowest and highest value: one pair for all dimensions, or one pair per dimension. */
export type ActionRange =
  | readonly [low: number, high: number]
  | readonly (readonly [number, number])[];

export interface ActionSpaceInit {
  readonly name: "discrete" | "continuous" | "hybrid";
  readonly actions?: readonly string[];
  readonly shape?: readonly number[];
  readonly range?: ActionRange | undefined;
  readonly semantics?: Readonly<Record<string, string>>;
}

/**
 * The actions of a task: named actions, a vector, or both (`hybrid`). An action that takes an argument is
 * listed by name and sent as `name:argument`.
 *
 * @example
 * const space = new ActionSpace({ name: "continuous", shape: [2], range: [-1, 1] });
 * space.parse({ qpos: [0.5, -0.5] }); // [0.5, -0.5]
 */
export class ActionSpace {
  readonly name: "discrete" | "continuous" | "hybrid";
  readonly actions: readonly string[] | undefined;
  readonly shape: readonly number[] | undefined;
  readonly range: ActionRange | undefined;
  readonly semantics: Readonly<Record<string, string>> | undefined;

  constructor(init: ActionSpaceInit) {
    this.name = init.name;
    this.actions = init.name === "continuous" ? undefined : (init.actions ?? []);
    this.shape = init.name === "discrete" ? undefined : (init.shape ?? []);
    this.range = init.range;
    this.semantics = init.semantics;
  }

  /** Numbers in a continuous action; 0 in a discrete space. */
  get size(): number {
    return this.shape ? this.shape.reduce((product, n) => product * n, 1) : 0;
  }

  /** Lowest and highest value of one dimension, if limited. */
  limits(dimension: number): readonly [number, number] | undefined {
    const first = this.range?.[0];
    if (typeof first === "number") return this.range as readonly [number, number];
    return (this.range as readonly (readonly [number, number])[] | undefined)?.[dimension];
  }

  /**
   * Parses an action received from a policy: a name, a list, `{name}` or `{qpos}`. Of `{name, qpos}`, a discrete
   * space takes the name and a continuous one the vector; a hybrid space takes the name if it has that action.
   * Anything else, a wrong length or a number that is not finite is a ProtocolError that says what is valid.
   */
  parse(raw: unknown): Action {
    if (typeof raw === "string") return this.#named(raw);
    const list = asList(raw);
    if (list) return this.#vector(list);
    if (typeof raw === "object" && raw !== null) {
      const name = "name" in raw && typeof raw.name === "string" ? raw.name : undefined;
      const qpos = "qpos" in raw ? asList(raw.qpos) : undefined;
      if (name !== undefined && (!qpos || !this.shape || this.#has(name))) return this.#named(name);
      if (qpos) return this.#vector(qpos);
    }
    throw new ProtocolError("bad_action", `${show(raw)} is not an action`, {
      hint: `send ${this.#expectation()}`,
    });
  }

  /**
   * A uniformly random action; numbers are within their limits (-1 to 1 if unlimited). In a hybrid space, each name but
   * `stop` is as likely as the vector.
   */
  sample(random: Random): Action {
    if (this.name === "discrete") return random.pick(this.actions ?? []);
    const names = this.actions?.filter((name) => name !== STOP) ?? [];
    const name = names.length > 0 ? names[random.below(names.length + 1)] : undefined;
    if (name !== undefined) return name;
    return Array.from({ length: this.size }, (_, i) => {
      const [low, high] = this.limits(i) ?? [-1, 1];
      return low + (high - low) * random.uniform();
    });
  }

  #has(action: string): boolean {
    return this.actions?.includes(actionName(action)) ?? false;
  }

  #named(action: string): Action {
    const name = actionName(action);
    if (!this.#has(action)) {
      throw new ProtocolError("bad_action", `${show(action)} is not an action of this task`, {
        hint:
          this.actions && !this.shape
            ? suggestion(name.slice(0, MAX_CHARACTERS), this.actions)
            : `send ${this.#expectation()}`,
      });
    }
    if (name === STOP && actionArgument(action) !== undefined) {
      throw new ProtocolError("bad_action", `${show(action)}: stop takes no argument`);
    }
    // The name is stored with every step, and later shown on terminals and written to databases.
    if (action.length > MAX_CHARACTERS || hasControl(action)) {
      throw new ProtocolError(
        "bad_action",
        `${show(action)} has ${action.length} characters; an action has at most ${MAX_CHARACTERS}, and no control characters`,
      );
    }
    return action;
  }

  #vector(values: readonly unknown[]): Action {
    if (!this.shape) {
      throw new ProtocolError(
        "bad_action",
        `${show(values)} is a vector, but the actions are names`,
        {
          hint: `send ${this.#expectation()}`,
        },
      );
    }
    if (values.length !== this.size) {
      throw new ProtocolError(
        "bad_action",
        `an action of this task has ${this.size} numbers, got ${values.length}`,
      );
    }
    return values.map((value, i) => {
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw new ProtocolError(
          "bad_action",
          `action[${i}] is ${show(value)}, not a finite number`,
        );
      }
      return value;
    });
  }

  #expectation(): string {
    const names = this.actions?.length ? `one of: ${this.actions.join(", ")}` : undefined;
    const vector = this.shape ? `a list of ${this.size} finite numbers` : undefined;
    return [names, vector].filter((part) => part !== undefined).join(", or ");
  }
}

/** Vectors are received as plain lists or as typed arrays. */
function asList(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  return raw instanceof Float32Array || raw instanceof Float64Array ? [...raw] : undefined;
}

export type SensorConfig = Readonly<Record<string, unknown>>;

/**
 * The sensors a task offers, by name.
 *
 * @example
 * const suite = new SensorSuite({ sensors: { rgb: { width: 640, height: 480 } } });
 * suite.get("rgb").width; // 640
 */
export class SensorSuite {
  readonly sensors: Readonly<Record<string, SensorConfig>>;

  constructor(init: { readonly sensors: Readonly<Record<string, SensorConfig>> }) {
    this.sensors = init.sensors;
  }

  /** A sensor's settings; empty for an unknown sensor. */
  get(name: string): SensorConfig {
    return Object.hasOwn(this.sensors, name) ? (this.sensors[name] ?? {}) : {};
  }

  has(name: string): boolean {
    return Object.hasOwn(this.sensors, name);
  }

  names(): string[] {
    return Object.keys(this.sensors);
  }
}
