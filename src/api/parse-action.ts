import { ConfigError, ProtocolError, show } from "../core/errors.js";
import { type Action, actionName, STOP } from "../core/interfaces/action.js";
import { isRecord } from "../core/record.js";
import { ActionSpace } from "../core/task/types.js";
import { NdArray } from "./codec/ndarray.js";
import type { MessageOf } from "./messages/base.js";
import { formOf } from "./task-forms.js";

/** The part of an action message that is read. */
export type ActionFields = Pick<MessageOf<"action">, "action" | "actions">;

const WHERE = "parseActionMessage";

/**
 * Reads the actions of a message. With an action space, it alone decides what is valid, and the result is the chunk
 * of actions in order. With a task type, the result is the one action of the message: a name for navigation, a vector
 * or `stop` for manipulation, either for other types.
 *
 * @example
 * import { ActionSpace } from "robot-eval";
 * const message = { type: "action", session_id: "s1", action: "stop" } as const;
 * parseActionMessage(message, new ActionSpace({ name: "discrete", actions: ["stop"] })); // ["stop"]
 * parseActionMessage(message, "vln"); // "stop"
 */
export function parseActionMessage(
  message: ActionFields,
  space: ActionSpace,
): readonly [Action, ...Action[]];
export function parseActionMessage(message: ActionFields, taskType: string): Action;
export function parseActionMessage(
  message: ActionFields,
  spaceOrType: ActionSpace | string,
): readonly [Action, ...Action[]] | Action {
  const actions = readActions(message, spaceOrType);
  if (typeof spaceOrType !== "string") return actions;
  const [action, ...rest] = actions;
  if (rest.length === 0) return action;
  throw new ProtocolError("bad_chunk", `the message has ${actions.length} actions, not one`, {
    where: WHERE,
    hint: "pass the task's ActionSpace to read a chunk of actions",
  });
}

/** Reads all actions of a message; by the task type if there is no action space. */
export function readActions(
  message: ActionFields,
  spaceOrType: ActionSpace | string,
): readonly [Action, ...Action[]] {
  const [first, ...rest] = actionsIn(message);
  const read = readerFor(spaceOrType);
  return [read(first), ...rest.map(read)];
}

function readerFor(spaceOrType: ActionSpace | string): (raw: unknown) => Action {
  if (typeof spaceOrType === "object" && typeof spaceOrType?.parse === "function") {
    return (raw) => spaceOrType.parse(plain(raw));
  }
  if (typeof spaceOrType === "string" && spaceOrType !== "") {
    return (raw) => spaceAround(plain(raw), spaceOrType).parse(plain(raw));
  }
  throw new ConfigError("bad_argument", `${show(spaceOrType)} is not a task type`, {
    where: WHERE,
    hint: "pass the type of the task, such as vln or pick_place, or its ActionSpace, which decides what an action is",
  });
}

/** The smallest space that holds an action of this task type. @throws if the action's form is not the type's */
function spaceAround(raw: unknown, taskType: string): ActionSpace {
  const form = formOf(taskType);
  const { name, size } = partsOf(raw);
  const names = form === "vector" ? [STOP] : name ? [actionName(name)] : [];
  const fits = name !== undefined && names.includes(actionName(name));
  if (form === "name" ? !fits : !fits && size === 0) {
    const expected = { name: [NAME], vector: [`"${STOP}"`, VECTOR], either: [NAME, VECTOR] }[form];
    throw new ProtocolError("bad_action", `${show(raw)} is not an action of ${taskType}`, {
      hint: `send ${expected.join(" or ")}`,
    });
  }
  if (form === "name") return new ActionSpace({ name: "discrete", actions: names });
  return new ActionSpace({ name: "hybrid", actions: names, shape: [size] });
}

const NAME = "the name of an action";
const VECTOR = "a list of finite numbers";

/** The name in an action, and the length of its vector. */
function partsOf(raw: unknown): { readonly name: string | undefined; readonly size: number } {
  const name = isRecord(raw) ? raw.name : raw;
  const vector = isRecord(raw) ? raw.qpos : raw;
  return {
    name: typeof name === "string" && name !== "" ? name : undefined,
    size: Array.isArray(vector) ? vector.length : 0,
  };
}

/** Converts an array of MessagePack or a typed array, bare or as `qpos` of an object, to a list. */
function plain(raw: unknown): unknown {
  if (raw instanceof NdArray) return raw.shape.length <= 1 ? raw.numbers() : raw.rows();
  if (raw instanceof Float32Array || raw instanceof Float64Array) return [...raw];
  if (typeof raw !== "object" || raw === null || !("qpos" in raw)) return raw;
  return raw.qpos instanceof NdArray ? { ...raw, qpos: raw.qpos.numbers() } : raw;
}

function actionsIn(message: unknown): readonly [unknown, ...unknown[]] {
  const { action, actions } = isRecord(message) ? message : {};
  if (Array.isArray(actions) && actions.length > 0) return [actions[0], ...actions.slice(1)];
  if (action !== undefined) return [action];
  throw new ConfigError("bad_argument", `${show(message)} is not a message with an action`, {
    where: WHERE,
    hint: 'pass the received message: {"type": "action", "session_id": ..., "action": ...}',
  });
}
