import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { benchmarkJsonSchema, benchmarkJsonSchemaText, type JsonSchema } from "./json-schema.js";

const schema = benchmarkJsonSchema();
const design: unknown = parse(
  readFileSync(new URL("./unified-challenge.fixture.txt", import.meta.url), "utf8"),
);

describe("configs/benchmark.schema.json", () => {
  it("the committed schema is up to date; after a change, run npm run schema", () => {
    const committed = new URL("../../configs/benchmark.schema.json", import.meta.url);
    expect(readFileSync(committed, "utf8")).toBe(benchmarkJsonSchemaText());
  });
});

describe("benchmark JSON Schema", () => {
  it("the benchmark JSON Schema accepts unified_challenge.yaml", () => {
    expect(violations(schema, design)).toEqual([]);
  });

  it.each([
    [{ evaluation: { max_stps: 1 } }, ["evaluation.max_stps: unknown key"]],
    [{ evaluation: { max_steps: 0 } }, ["evaluation.max_steps: too small"]],
    [{ evaluation: { profile: "x" } }, ["evaluation.profile: not one of the values"]],
    [{ benchmark: {} }, ["benchmark.name: missing"]],
    [{ vln_task: { type: "vln", config: { agent: "x" } } }, ["vln_task.config.agent: not allowed"]],
    [{ vln_task: { type: "vln", config: { metrics: [] } } }, ["vln_task.config.metrics: too few"]],
    [{ sensors: {} }, ["sensors: unknown key"]],
  ])("the benchmark JSON Schema rejects %j", (change, expected) => {
    expect(violations(schema, Object.assign(structuredClone(design) as object, change))).toEqual(
      expected,
    );
  });

  it("the benchmark JSON Schema allows backends and tasks to add keys", () => {
    const change = { simulator: { gravity: -9.81, sensors: { touch: { sites: 3 } } } };
    expect(violations(schema, Object.assign(structuredClone(design) as object, change))).toEqual(
      [],
    );
  });

  it("the benchmark JSON Schema describes every key, for editors", () => {
    expect(undescribed(schema, "")).toEqual([]);
  });

  it("the benchmark JSON Schema requires no key that has a default", () => {
    expect(schema.required).toEqual(["benchmark", "dataset"]);
  });
});

/** A minimal JSON Schema validator for the features that this schema uses. */
function violations(node: JsonSchema | boolean | undefined, value: unknown, path = ""): string[] {
  if (typeof node !== "object") return node === false ? [`${path}: unknown key`] : [];
  if (node.not) return [`${path}: not allowed`];
  if (node.enum && !node.enum.some((option) => option === value)) {
    return [`${path}: not one of the values`];
  }
  if (node.type !== undefined && !hasType(value, node.type)) return [`${path}: not a ${node.type}`];
  const found: string[] = [];
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum } = node;
    const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum : -Infinity;
    if (value < minimum || value <= above) found.push(`${path}: too small`);
    if (value > maximum) found.push(`${path}: too large`);
  }
  if (typeof value === "string" && value.length < (node.minLength ?? 0)) {
    found.push(`${path}: too short`);
  }
  if (Array.isArray(value)) {
    if (value.length < (node.minItems ?? 0)) found.push(`${path}: too few`);
    if (node.uniqueItems && new Set(value).size < value.length) found.push(`${path}: repeated`);
    const { items } = node;
    if (!Array.isArray(items)) {
      found.push(...value.flatMap((item, i) => violations(items, item, `${path}.${i}`)));
    }
  } else if (typeof value === "object" && value !== null) {
    for (const key of node.required ?? []) {
      if (!Object.hasOwn(value, key)) found.push(`${join(path, key)}: missing`);
    }
    for (const [key, item] of Object.entries(value)) {
      const pattern = Object.entries(node.patternProperties ?? {}).find(([p]) =>
        new RegExp(p, "u").test(key),
      );
      const own = node.properties?.[key] ?? pattern?.[1] ?? node.additionalProperties;
      found.push(...violations(own, item, join(path, key)));
    }
  }
  return found;
}

function hasType(value: unknown, type: NonNullable<JsonSchema["type"]>): boolean {
  if (Array.isArray(type)) return type.some((one) => hasType(value, one));
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "object") {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  return typeof value === type;
}

function undescribed(node: JsonSchema | boolean | undefined, path: string): string[] {
  if (typeof node !== "object") return [];
  const named = { ...node.properties, ...node.patternProperties };
  const below = Object.entries(named).flatMap(([key, child]) => [
    ...(typeof child === "object" && child.description ? [] : [join(path, key)]),
    ...undescribed(child, join(path, key)),
  ]);
  return [...below, ...undescribed(node.additionalProperties, join(path, "<x>"))];
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
