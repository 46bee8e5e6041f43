import { describe, expect, it, vi } from "vitest";
import type { Difference } from "../../evaluator/check/replay/documents.js";
import { differenceLines, errorLines, tellProgress } from "./check-text.js";

const DIFFERENCE: Difference = {
  ...{ episode_key: "vln/hall/1", repeat: 0, step: 4, field: "state.position[0]" },
  ...{ recorded: 0.25, now: 0.5 },
};

describe("text of differences", () => {
  it("the text of differences names the episode, the step, the field and both values", () => {
    expect(differenceLines([DIFFERENCE])).toEqual([
      "  vln/hall/1 step 4: state.position[0] was 0.25, is 0.5",
    ]);
    const missing = { ...DIFFERENCE, repeat: 2, step: null, field: "metrics.spl", now: null };
    expect(differenceLines([missing])).toEqual([
      "  vln/hall/1 (repeat 2): metrics.spl was 0.25, is missing",
    ]);
  });

  it("the text of differences states the problem if there are no values", () => {
    const damaged = { ...DIFFERENCE, step: null, field: "trajectory", why: "1.jsonl.gz: cut off" };
    expect(differenceLines([damaged])).toEqual(["  vln/hall/1: trajectory: 1.jsonl.gz: cut off"]);
  });

  it("the text of differences shows ten differences and the number of the others", () => {
    const lines = differenceLines(Array.from({ length: 25 }, () => DIFFERENCE));
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe("  and 15 more (--json)");
  });

  it("the text of differences names the episode and the reason of an error", () => {
    const error = { episode_key: "vln/hall/1", repeat: 2, why: "no scene hall" };
    expect(errorLines([error])).toEqual(["  vln/hall/1 (repeat 2): error: no scene hall"]);
  });
});

describe("progress of a check", () => {
  it("the progress of a check is reported at the end, however fast the check was", () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const tell = tellProgress("replayed");
    tell({ done: 1, total: 2, different: 0 });
    tell({ done: 2, total: 3, different: 1, errors: 0 });
    tell({ done: 3, total: 3, different: 1, errors: 1 });
    const said = write.mock.calls.map(([text]) => text);
    write.mockRestore();
    expect(said).toEqual(["3/3 replayed · 1 different · 1 with an error\n"]);
  });
});
