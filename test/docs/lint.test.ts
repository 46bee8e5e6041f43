import { describe, expect, it } from "vitest";
import { LINT_RULES } from "../../src/dataset/lint/catalog.js";
import { page } from "./pages.js";

describe("docs/lint.md", () => {
  it("docs/lint.md lists each rule exactly once with its severity", () => {
    const rows = page("docs/lint.md").table("What is looked for");
    const documented = rows.map((row) => [row.rule?.replaceAll("`", ""), row.severity]);
    const rules = LINT_RULES.map((make) => make());
    expect(documented).toEqual(rules.map(({ code, severity }) => [code, severity]));
  });
});
