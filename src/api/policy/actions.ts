import { ProtocolError, show } from "../../core/errors.js";
import { NdArray } from "../codec/ndarray.js";

const VALID =
  "return a name, a list of numbers, {name} or {qpos}; for several actions, a list of these or an array with one row each";

/**
 * Converts the actions of one reply to their wire form. `where` names the method that returned them, `most` is the
 * policy's `actionChunk`.
 */
export function wireActions(returned: unknown, where: string, most: number): unknown[] {
  const rows = chunkOf(returned);
  if (rows === undefined) return [one(returned, where)];
  if (rows.length === 0) throw wrong(`${where} returned an empty list`);
  if (rows.length > most) {
    throw wrong(
      `${where} returned ${rows.length} actions, but declares actionChunk ${most}`,
      `set \`actionChunk = ${rows.length}\` in the policy, or return fewer`,
    );
  }
  return rows.map((row) => one(row, where));
}

/** The entries of a chunk; undefined for a single action. A list that starts with a number is a vector. */
function chunkOf(returned: unknown): readonly unknown[] | undefined {
  if (returned instanceof NdArray) return returned.shape.length === 2 ? returned.rows() : undefined;
  return Array.isArray(returned) && typeof returned[0] !== "number" ? returned : undefined;
}

function one(value: unknown, where: string): unknown {
  if (typeof value === "string" && value !== "") return value;
  const vector = vectorOf(value, where);
  if (vector) return vector;
  if (typeof value === "object" && value !== null) {
    const hasName = "name" in value && typeof value.name === "string" && value.name !== "";
    const qpos = "qpos" in value ? vectorOf(value.qpos, `${where}: qpos`) : undefined;
    if (hasName || qpos) {
      return { ...(hasName ? { name: value.name } : {}), ...(qpos ? { qpos } : {}) };
    }
  }
  throw wrong(
    `${where} returned ${value === "" ? "an empty name" : show(value)}`,
    value === undefined ? `${VALID}. Is a \`return\` missing?` : VALID,
  );
}

function vectorOf(value: unknown, where: string): number[] | undefined {
  const list = listOf(value, where);
  if (list === undefined) return undefined;
  if (list.length === 0) throw wrong(`${where} returned a vector without numbers`);
  return list.map((number, i) => {
    if (typeof number === "number" && Number.isFinite(number)) return number;
    throw wrong(
      `${where} returned a vector whose entry ${i} is ${show(number)}, not a finite number`,
    );
  });
}

function listOf(value: unknown, where: string): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Float32Array || value instanceof Float64Array) return [...value];
  if (!(value instanceof NdArray)) return undefined;
  if (value.shape.length === 1) return value.numbers();
  throw wrong(
    `${where} returned an array of shape ${show(value.shape)}`,
    "a vector has one dimension, a chunk has two",
  );
}

function wrong(message: string, hint = VALID): ProtocolError {
  return new ProtocolError("bad_action", message, { hint });
}
