import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { isStressFolder, readStress, STRESS_FILE } from "./read-stress.js";
import { STRESS_REPORT } from "./stress.fixture.js";

function folderWith(document: unknown): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, STRESS_FILE), JSON.stringify(document));
  return folder;
}

const [axis] = STRESS_REPORT.axes;

describe("readStress", () => {
  it("readStress reads what was written", async () => {
    const folder = folderWith(STRESS_REPORT);
    expect(await isStressFolder(folder)).toBe(true);
    expect(await readStress(folder)).toEqual(STRESS_REPORT);
  });

  it("readStress rejects a folder without stress.json", async () => {
    const folder = temporaryFolder();
    expect(await isStressFolder(folder)).toBe(false);
    await expect(readStress(folder)).rejects.toThrow("stress.json is missing");
  });

  it.each([
    ["another format", { ...STRESS_REPORT, format: "robot-eval-stress/2" }, "format is"],
    ["a wrong field", { ...STRESS_REPORT, seed: "7" }, "seed"],
    [
      "a run outside of the folder",
      { ...STRESS_REPORT, axes: [{ ...axis, levels: [{ ...axis?.levels[0], run: "../other" }] }] },
      "axes.0.levels.0.run",
    ],
  ])("readStress rejects %s with an error that names the field", async (_, document, text) => {
    await expect(readStress(folderWith(document))).rejects.toThrow(text);
  });
});
