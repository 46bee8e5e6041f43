import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { number } from "../../src/cli/output.js";
import { chromiumPath, shownText, soon, TestBrowser } from "../support/browser.js";
import { startRobotEval, temporaryFolder } from "../support/cli.js";
import { ROOT } from "../support/manipulation.js";
import { SMOKE, summaryOf } from "./site.js";
import { startView } from "./view-process.js";

const RUN = "watched";
const executable = chromiumPath();

describe.skipIf(executable === undefined)("a run that is watched", () => {
  const browser = new TestBrowser(executable ?? "");

  test("shows its progress and ends with the final numbers, without a reload", async () => {
    const folder = temporaryFolder();
    const view = await startView(folder);
    const { page, errors } = await browser.open(view.url);
    await page.getByText("No runs yet").waitFor();

    const run = startRobotEval(
      ["run", SMOKE, "--out", folder, "--run-id", RUN, "--limit", "4", "--workers", "1"],
      ROOT,
    );
    // It appears by itself.
    const link = page.locator(`a[href="#/runs/${RUN}"]`);
    await link.waitFor();
    // Lost if the document were loaded again.
    await page.evaluate("window.sameDocument = true");
    await link.click();
    const head = page.locator(".run-head");
    await head.locator(".badge", { hasText: "running" }).waitFor();
    expect(existsSync(join(folder, RUN, "summary.json"))).toBe(false);
    const progress: number[] = [];
    await soon(async () => {
      const value = Number(await head.locator("progress").getAttribute("value"));
      if (value !== progress.at(-1)) progress.push(value);
      return progress.length;
    }).toBeGreaterThan(2);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));

    const { code, stderr } = await run.done;
    expect(code, stderr).toBe(0);
    await head.locator(".badge", { hasText: "done" }).waitFor();
    const { per_task, primary_metrics, episodes } = summaryOf(folder, RUN);
    for (const [task, metric] of Object.entries(primary_metrics)) {
      const big = page.locator(`.big-number[data-task="${task}"]`);
      await soon(() => shownText(big)).toBe(number(per_task[task]?.[metric]?.mean));
    }
    expect(await shownText(head)).toContain(`${episodes.total} (${episodes.success} success`);
    await page.getByText(`${episodes.total} of ${episodes.total} episodes`).waitFor();
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect(errors).toEqual([]);
    expect(view.faults()).toBe("");
    expect(await view.stop()).toBe(0);
  }, 240_000);
});
