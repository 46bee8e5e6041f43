import { describe, it } from "vitest";
import { expectCostly, SHORT, SILENT, WRONG } from "../support/hostile-simulators.js";

describe("a simulator that misbehaves in an episode in every way", () => {
  it("invalidates only that episode for each wrong answer", async () => {
    await expectCostly(WRONG, Object.keys(WRONG));
  });

  it("invalidates only that episode on a timeout, whatever it sends instead", async () => {
    await expectCostly(SILENT, Object.keys(SILENT), SHORT);
  });
});
