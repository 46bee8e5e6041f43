import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MESSAGE_TYPES } from "./base.js";
import { protocolJsonSchema, protocolJsonSchemaText } from "./json-schema.js";

describe("docs/protocol.schema.json", () => {
  it("docs/protocol.schema.json is what the code generates; after a change, run npm run schema", () => {
    const committed = new URL("../../../docs/protocol.schema.json", import.meta.url);
    expect(readFileSync(committed, "utf8")).toBe(protocolJsonSchemaText());
  });

  it("docs/protocol.schema.json has all ten messages, each with its type", () => {
    const { oneOf, anyOf } = protocolJsonSchema();
    const types = (oneOf ?? anyOf ?? []).map((message) =>
      typeof message === "object" && typeof message.properties?.type === "object"
        ? message.properties.type.const
        : undefined,
    );
    expect(types).toEqual([...MESSAGE_TYPES]);
  });

  it("docs/protocol.schema.json leaves room for fields that are not known yet", () => {
    expect(protocolJsonSchemaText()).not.toContain('"additionalProperties": false');
  });
});
