import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { simulatorJsonSchemaText } from "./json-schema.js";

it("docs/simulator.schema.json equals the schema that messages are checked against", () => {
  const published = new URL("../../../docs/simulator.schema.json", import.meta.url);
  expect(readFileSync(published, "utf8"), "run `npm run schema`").toBe(simulatorJsonSchemaText());
});
