import type { ActionMapping } from "../../config/mapping.js";
import { ProtocolError, StopRunError, show } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { ActionSpace } from "../../core/task/types.js";
import { NdArray } from "../codec/ndarray.js";
import { mapNumbers } from "./numbers.js";

/** Reads the actions of a policy's reply in order: a vector is one action, a matrix has one per row. */
export function mapActions(
  reply: unknown,
  mapping: ActionMapping | undefined,
  space: ActionSpace,
): readonly Action[] {
  const actions = rowsOf(reply).map((row) => space.parse(mapAction(row, mapping, space)));
  if (actions.length > 0) return actions;
  throw new ProtocolError("bad_action", `the policy's reply has no action: ${show(reply)}`);
}

function mapAction(
  row: string | readonly number[],
  mapping: ActionMapping | undefined,
  space: ActionSpace,
): string | readonly number[] {
  if (typeof row === "string") return row;
  if (mapping?.names) return nameOf(row, mapping.names);
  if (mapping?.parts) {
    return mapping.parts.flatMap(
      (part) => part.value ?? mapNumbers(row, part, "the policy's action"),
    );
  }
  if (space.shape && row.length === space.size) return row;
  throw new StopRunError(
    "convention_mismatch",
    space.shape
      ? `the policy's actions have ${row.length} numbers, this task's have ${space.size}`
      : `the policy's action is ${show(row)}, but this task's actions are names: ${space.actions?.join(", ")}`,
    { hint: "convert them under policy.mapping.action; see docs/dialects.md" },
  );
}

function nameOf(row: readonly number[], names: readonly string[]): string {
  const index = row.length === 1 ? (row[0] ?? -1) : row.indexOf(Math.max(...row));
  const name = names[index];
  if (name !== undefined) return name;
  throw new ProtocolError(
    "bad_action",
    `the policy chose action ${index}, but policy.mapping.action.names has ${names.length} names`,
  );
}

function rowsOf(reply: unknown): readonly (string | readonly number[])[] {
  if (reply instanceof NdArray) {
    if (reply.shape.length <= 1) return [reply.numbers()];
    // Batching policies may add a leading dimension of one: (1, H, A).
    const leading = reply.shape.slice(0, -2);
    if (leading.every((n) => n === 1)) {
      return new NdArray(reply.dtype, reply.shape.slice(-2), reply.data).rows();
    }
  }
  if (typeof reply === "string") return [reply];
  if (typeof reply === "number") return [[reply]];
  if (Array.isArray(reply)) {
    if (reply.every((item) => typeof item === "number")) return [reply];
    if (reply.every((item) => typeof item === "string")) return reply;
    return reply.flatMap((item) => rowsOf(item));
  }
  throw new ProtocolError("bad_action", `the policy answered ${describe(reply)}`, {
    hint: "return a vector (A), a chunk of vectors (H, A), or the names of named actions",
  });
}

function describe(reply: unknown): string {
  return reply instanceof NdArray ? `an array of shape ${show(reply.shape)}` : show(reply);
}
