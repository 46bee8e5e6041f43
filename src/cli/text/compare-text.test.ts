import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { compareWithBaseline } from "../../runs/compare/compare.js";
import { episodes, writeRun } from "../../runs/compare/run.fixture.js";
import { comparisonText } from "./compare-text.js";

const successes = (count: number, of: number) =>
  writeRun({
    lines: episodes(
      of,
      Array.from({ length: count }, (_, i) => i + 1),
    ),
  });

/** The texts of the comparisons of the other runs with the first. */
async function texts(first: string, ...others: readonly string[]): Promise<string[]> {
  const { comparisons } = await compareWithBaseline(first, others);
  return comparisons.map((comparison) => stripVTControlCharacters(comparisonText(comparison)));
}

describe("the text of a comparison", () => {
  it("the text of a comparison states an interval with a width where every episode changes", async () => {
    const [text] = await texts(successes(0, 5), successes(5, 5));
    expect(text).toContain("vln: success is better in B, by +1.000 [0.131, 1.000]");
  });

  it("the text of a comparison states no detectable difference where the episodes are too few for any", async () => {
    const [text] = await texts(successes(0, 3), successes(3, 3));
    expect(text).toContain(
      "vln: success is not shown to differ: 3 episodes are too few to show any difference reliably; about 1 more episode like these would tell them apart",
    );
  });

  it("the text of a comparison says how many tests are corrected for, and where the correction decides", async () => {
    const [a, b] = [successes(0, 20), successes(4, 20)];
    expect((await texts(a, b))[0]).toContain(
      "p (Holm) is corrected for 1 test, of the primary metric; other metrics, in parentheses, are not corrected",
    );
    const [together] = await texts(a, b, b);
    expect(together).toContain("p (Holm) is corrected for 2 tests, of primary metrics");
    expect(together).toContain("success is not shown to differ after the correction for 2 tests:");
  });
});
