import { describe, expect, it } from "vitest";
import { check } from "./issues.js";
import { policySchema } from "./policy.js";

/** Problems of a mapping as a benchmark's author sees them. */
function problems(mapping: unknown): string[] {
  const result = check(policySchema, { mapping });
  if ("data" in result) return [];
  return result.findings.map(
    ({ path, problem, hint }) => `${path.join(".")}: ${problem} (${hint ?? ""})`,
  );
}

describe("mapping error", () => {
  it.each([
    ["libro", /^mapping: expected one of libero, droid or a mapping/],
    [{ observation: { x: { from: "qpos", tak: [0, 1] } } }, /x\.tak: unknown key \(.*take/],
    [{ observation: { x: { form: "qpos", take: [0, 1] } } }, /x\.form: unknown key \(.*from/],
    [{ observation: { x: { from: "a", take: [0] } } }, /x\.take: expected a list of 2 items/],
    [
      { observation: { x: { concat: [{ from: "a", rotation: { from: "quat", to: "x" } }] } } },
      /x\.concat\.0\.rotation\.from: "quat" is not a valid value \(.*quat_wxyz/,
    ],
    [
      { observation: { images: { map: { a: { from: "rgb", resize: [224] } } } } },
      /images\.map\.a\.resize: expected a list of 2 items/,
    ],
    [{ observation: { x: 5 } }, /observation\.x: expected a string/],
    [{ action: { parts: [{ take: [0, 1], scale: "5" }] } }, /parts\.0\.scale: .*remove the quotes/],
  ])("a mapping is rejected with its key and what is valid: %j", (mapping, text) => {
    expect(problems(mapping).join("\n")).toMatch(text);
  });
});
