import { describe, expect, it } from "vitest";
import { schemaOf } from "./json-schema.js";

describe("the schema of messages", () => {
  it("has the fields of all of them", () => {
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
    ["is of two types", [{ a: 1 }, { a: "x" }]],
    ["is a list of lists", [{ a: [[1]] }]],
    ["is a list of this and that", [{ a: [1, "x"] }]],
    ["is always empty or null", [{ a: [] }, { a: null }]],
  ])("leaves out what %s, for Foxglove would refuse it", (_, messages) => {
    expect(schemaOf("x", messages)).toEqual({ title: "x", type: "object", properties: {} });
  });

  it("is an object's even where there are none", () => {
    expect(schemaOf("x", [])).toEqual({ title: "x", type: "object", properties: {} });
  });
});
