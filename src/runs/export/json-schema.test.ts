import { describe, expect, it } from "vitest";
import { schemaOf } from "./json-schema.js";

describe("schemaOf", () => {
  it("schemaOf includes the fields of all messages", () => {
    const messages = [{ a: 1 }, { b: "x", c: { d: true } }, { a: 2, list: [0.5] }];
    expect(schemaOf("robot_eval.state", messages)).toEqual({
      title: "robot_eval.state",
      type: "object",
      properties: {
        a: { type: "number" },
        b: { type: "string" },
        c: { type: "object", properties: { d: { type: "boolean" } } },
        list: { type: "array", items: { type: "number" } },
      },
    });
  });

  it.each([
    ["has two types", [{ a: 1 }, { a: "x" }]],
    ["is a list of lists", [{ a: [[1]] }]],
    ["is a list of mixed types", [{ a: [1, "x"] }]],
    ["is always empty or null", [{ a: [] }, { a: null }]],
  ])("schemaOf omits a field that %s, because Foxglove would reject it", (_, messages) => {
    expect(schemaOf("x", messages)).toEqual({ title: "x", type: "object", properties: {} });
  });

  it("schemaOf returns an object schema when there are no messages", () => {
    expect(schemaOf("x", [])).toEqual({ title: "x", type: "object", properties: {} });
  });
});
