import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { number } from "../../src/runs/report/format.js";
import { chromiumPath, shownText, soon, TestBrowser } from "../support/browser.js";
import { startRobotEval, temporaryFolder } from "../support/cli.js";
import { gatedAgent } from "../support/gated-agent.js";
import { ROOT } from "../support/manipulation.js";
import { SMOKE, summaryOf } from "./site.js";
import { startView } from "./view-process.js";

const RUN = "watched";
const executable = chromiumPath();

describe.skipIf(executable === undefined)("live updates of the dashboard", () => {
  const browser = new TestBrowser(executable ?? "");

  test("a running run shows its progress and ends with the final numbers, without a reload", async () => {
    const folder = temporaryFolder();
    const { flags, allow } = gatedAgent();
    const view = await startView(folder);
    const { page, errors } = await browser.open(view.url);
    await page.getByText("No runs yet").waitFor();

    const run = startRobotEval(
      [
        ...["run", SMOKE, "--out", folder, "--run-id", RUN, "--first", "4"],
        // Manipulation episodes look the same on this page, and take ten times as long.
        ...["--filter", "task=vln|objectnav|image_nav", ...flags],
      ],
      ROOT,
    );
    // It appears by itself.
    const link = page.locator(`a[href="#/runs/${RUN}"]`);
    await link.waitFor();
    // Lost if the document were loaded again.
    await page.evaluate("window.sameDocument = true");
    await link.click();
    const head = page.locator(".run-head");
    const running = head.locator(".badge", { hasText: "running" });
    for (const episodes of [1, 6]) {
      allow(episodes);
      await soon(() => head.locator("progress").getAttribute("value")).toBe(String(episodes));
      expect(await running.count()).toBe(1);
    }

    allow(Number.POSITIVE_INFINITY);
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

  test("a run that is deleted while the server restarts disappears from the open list", async () => {
    const folder = temporaryFolder();
    for (const id of ["kept", "deleted"]) {
      const args = ["run", SMOKE, "--out", folder, "--run-id", id, "--first", "1"];
      const { code, stderr } = await startRobotEval(
        [...args, "--agent", "random", "--filter", "task=vln"],
        ROOT,
      ).done;
      expect(code, stderr).toBe(0);
    }
    const first = await startView(folder);
    const { page } = await browser.open(first.url);
    const link = (id: string) => page.locator(`a[href="#/runs/${id}"]`);
    await link("deleted").waitFor();
    await page.evaluate("window.sameDocument = true");
    expect(await first.stop()).toBe(0);
    rmSync(join(folder, "deleted"), { recursive: true });
    const second = await startView(folder, new URL(first.url).port);
    await soon(() => link("deleted").count()).toBe(0);
    expect(await link("kept").count()).toBe(1);
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect(await second.stop()).toBe(0);
  }, 120_000);
});
