import { describe, expect, it } from "vitest";
import { suggestionsFor } from "./suggest.js";

const names = { texts: ["outcome", "scene"], numbers: ["spl"] };
const values = (field: string) => (field === "outcome" ? ["success", "failure"] : []);
const labels = (filter: string) => suggestionsFor(filter, names, values).map(({ label }) => label);

describe("suggestions for a filter", () => {
  it("suggestions for a filter are the fields at the start of a token", () => {
    expect(labels("")).toEqual(["outcome:", "scene:", "spl<"]);
    expect(labels("outcome:failure s")).toEqual(["scene:", "spl<"]);
  });

  it("suggestions for a filter are the values of a field after its colon, without the complete value", () => {
    expect(labels("outcome:")).toEqual(["outcome:success", "outcome:failure"]);
    expect(labels("outcome:fail")).toEqual(["outcome:failure"]);
    expect(labels("outcome:failure")).toEqual([]);
  });

  it("suggestions for a filter keep the preceding tokens and the minus", () => {
    const [first] = suggestionsFor("spl<1 -outcome:f", names, values);
    expect(first?.filter).toBe("spl<1 -outcome:failure ");
  });

  it("suggestions for a filter are empty inside quotes or a bound", () => {
    expect(labels('"out')).toEqual([]);
    expect(labels("spl<")).toEqual([]);
  });
});
