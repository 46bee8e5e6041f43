import { describe, expect, it } from "vitest";
import { z } from "zod";
import { expectation, schemaAt } from "./expectation.js";
import { toJsonSchema } from "./json-schema.js";

describe("expectation", () => {
  it.each([
    [z.string(), "a string"],
    [z.string().min(1), "a string"],
    [z.number().min(0).max(1), "a number from 0 to 1"],
    [z.number().gt(0).max(360), "a number above 0 and at most 360"],
    [z.number().max(5), "a number of at most 5"],
    [z.number().lt(5), "a number below 5"],
    [z.int(), "a whole number"],
    [z.int().min(0), "a whole number of at least 0"],
    [z.boolean(), "true or false"],
    [z.array(z.string()), "a list of strings"],
    [z.array(z.number()).min(1), "a list of one or more numbers"],
    [z.array(z.number()).length(3), "a list of 3 numbers"],
    [z.array(z.unknown()).min(2), "a list of at least 2 items"],
    [z.tuple([z.number(), z.number()]), "a list of 2 items"],
    [z.object({}), "a mapping"],
    [z.record(z.string(), z.number()), "a mapping"],
    [z.enum(["a", "b"]), "one of a, b"],
    [z.literal("x"), '"x"'],
    [z.union([z.string(), z.number()]), "a string or a number"],
    [z.string().nullable(), "a string or null"],
    [z.unknown(), undefined],
  ])("an expectation describes schema %# as %s", (schema, words) => {
    expect(expectation(toJsonSchema(schema))).toBe(words);
  });

  it("an expectation describes a missing string property only for a string", () => {
    const schema = toJsonSchema(z.string().min(1));
    expect(expectation(schema, "")).toBe("a string that is not empty");
    expect(expectation(toJsonSchema(z.string().regex(/^a/)), "b")).toBe("a string that matches ^a");
  });
});

describe("schemaAt", () => {
  it("schemaAt finds a path through mappings, lists, tuples and alternatives", () => {
    const schema = toJsonSchema(
      z.object({
        list: z.array(z.object({ n: z.int() })),
        pair: z.tuple([z.string(), z.boolean()]),
        free: z.record(z.string(), z.number()),
        either: z.union([z.string(), z.object({ b: z.boolean() })]),
      }),
    );
    const typeAt = (...path: (string | number)[]) => schemaAt(schema, path)?.type;
    expect(typeAt("list", 4, "n")).toBe("integer");
    expect(typeAt("pair", 1)).toBe("boolean");
    expect(typeAt("free", "anything")).toBe("number");
    expect(typeAt("either", "b")).toBe("boolean");
    expect(typeAt("nowhere", "at", "all")).toBeUndefined();
  });

  it("schemaAt finds a path in recursive schemas and schemas with an id", () => {
    const tree: z.ZodType = z.object({
      size: z.int(),
      get children() {
        return z.array(tree);
      },
    });
    expect(schemaAt(toJsonSchema(tree), ["children", 0, "children", 1, "size"])?.type).toBe(
      "integer",
    );
    const named = z.object({ s: z.string() }).meta({ id: "expectation-test-named" });
    const twice = toJsonSchema(z.object({ a: named, b: named }));
    expect(schemaAt(twice, ["b", "s"])?.type).toBe("string");
  });
});
