import { show } from "../core/errors.js";
import type { JsonSchema } from "./json-schema.js";
import type { ConfigPath } from "./source.js";

/**
 * Describes in words what a place in a document should hold. The text comes from the JSON Schema rather than from
 * single checks, because "expected a whole number above 0" helps more than "too small".
 */

/** The schema at `path`; undefined if anything is allowed there. */
export function schemaAt(root: JsonSchema, path: ConfigPath): JsonSchema | undefined {
  let node: JsonSchema | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = child(root, deref(root, node), step);
  }
  return node && deref(root, node);
}

function child(root: JsonSchema, node: JsonSchema, step: string | number): JsonSchema | undefined {
  const key = String(step);
  const options = node.anyOf ?? node.oneOf ?? node.allOf;
  if (options) {
    for (const option of options) {
      const found = child(root, deref(root, option), step);
      if (found) return found;
    }
  }
  const { properties = {}, patternProperties = {}, items } = node;
  if (Object.hasOwn(properties, key)) return asNode(properties[key]);
  for (const [pattern, schema] of Object.entries(patternProperties)) {
    if (new RegExp(pattern, "u").test(key)) return asNode(schema);
  }
  if (Array.isArray(items)) return asNode(items[Number(step)]);
  return asNode(items) ?? asNode(node.additionalProperties);
}

function asNode(schema: JsonSchema | boolean | undefined): JsonSchema | undefined {
  return typeof schema === "object" ? schema : undefined;
}

/** Resolves references: zod writes recursive schemas and schemas with an id as references into the root. */
function deref(root: JsonSchema, node: JsonSchema): JsonSchema {
  if (node.$ref === undefined) return node;
  let target: unknown = root;
  for (const step of node.$ref.split("/").slice(1)) {
    target = typeof target === "object" && target !== null ? Reflect.get(target, step) : undefined;
  }
  return typeof target === "object" && target !== null ? (target as JsonSchema) : node;
}

/** The keys of a mapping; for alternatives, the keys of all of them. */
export function keysOf(schema: JsonSchema | undefined): string[] {
  const own = Object.keys(schema?.properties ?? {});
  const options = schema?.anyOf ?? schema?.oneOf ?? [];
  return [...new Set([...own, ...options.flatMap(keysOf)])];
}

/** `a string`, `a whole number above 0`, `a list of strings`; undefined if anything is allowed. */
export function expectation(schema: JsonSchema, value?: unknown): string | undefined {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return either(options.map((option) => expectation(option, value)));
  if (schema.const !== undefined) return show(schema.const);
  if (schema.enum) return `one of ${schema.enum.map(String).join(", ")}`;
  if (Array.isArray(schema.type)) {
    return either(schema.type.map((type) => expectation({ ...schema, type }, value)));
  }
  switch (schema.type) {
    case "string":
      return typeof value === "string" ? text(schema) : "a string";
    case "integer":
      return `a whole number${range(schema)}`;
    case "number":
      // YAML can write .inf and .nan, which no setting accepts.
      return `a ${typeof value === "number" && !Number.isFinite(value) ? "finite " : ""}number${range(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return list(schema);
    case "object":
      return "a mapping";
    case "null":
      return "null";
    default:
      return undefined;
  }
}

function either(options: readonly (string | undefined)[]): string | undefined {
  if (options.includes(undefined)) return undefined;
  return [...new Set(options)].join(" or ");
}

function text(schema: JsonSchema): string {
  if (schema.pattern !== undefined) return `a string that matches ${schema.pattern}`;
  if (schema.minLength === 1) return "a string that is not empty";
  if (schema.minLength !== undefined) return `a string of at least ${schema.minLength} characters`;
  if (schema.maxLength !== undefined) return `a string of at most ${schema.maxLength} characters`;
  return "a string";
}

function range(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const parts: string[] = [];
  if (typeof above === "number") parts.push(`above ${above}`);
  if (minimum !== undefined) parts.push(`of at least ${minimum}`);
  if (typeof below === "number") parts.push(`below ${below}`);
  if (maximum !== undefined) parts.push(`${parts.length > 0 ? "" : "of "}at most ${maximum}`);
  return parts.length > 0 ? ` ${parts.join(" and ")}` : "";
}

function list(schema: JsonSchema): string {
  const { items, minItems = 0, maxItems } = schema;
  if (Array.isArray(items)) return `a list of ${items.length} items`;
  const item = typeof items === "object" ? items.type : undefined;
  const of =
    item === "string" ? "strings" : item === "number" || item === "integer" ? "numbers" : "items";
  if (minItems > 0 && minItems === maxItems) return `a list of ${minItems} ${of}`;
  if (minItems === 1) return `a list of one or more ${of}`;
  if (minItems > 1) return `a list of at least ${minItems} ${of}`;
  if (maxItems !== undefined) return `a list of at most ${maxItems} ${of}`;
  return of === "items" ? "a list" : `a list of ${of}`;
}
