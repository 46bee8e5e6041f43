import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { number } from "../../src/cli/output.js";
import type { RunComparison } from "../../src/runs/compare/documents.js";
import { colourCount, keepPicture, pixelsOf, shownText, soon } from "../support/browser.js";
import { robotEval } from "../support/cli.js";
import { EXPERT_RUN, NAVIGATION_EPISODE, RANDOM_RUN, type Site } from "./site.js";

/** Tests of the page that compares two runs. */
export function comparePage(site: () => Site): void {
  describe("the compare page", () => {
    test("the compare page has the numbers of robot-eval compare and both paths of an episode", async () => {
      const { view, browser, folder } = site();
      const { page, errors } = await browser.open(view.url);
      await page.getByLabel(`Select ${EXPERT_RUN} for comparison`).check();
      await page.getByLabel(`Select ${RANDOM_RUN} for comparison`).check();
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await soon(() => page.url()).toContain(`#/compare/${EXPERT_RUN}/${RANDOM_RUN}`);
      await page.locator(".difference-table tbody tr").first().waitFor();
      const runs = [EXPERT_RUN, RANDOM_RUN].map((run) => join(folder, run));
      const { stdout } = await robotEval(["compare", ...runs, "--json"], folder);
      const { metrics, flipped }: RunComparison = JSON.parse(stdout);
      const rows = page.locator(".difference-table tbody tr");
      for (const { task, metric, mean_a, mean_b, difference, n } of metrics) {
        const row = rows.filter({ has: page.locator("td", { hasText: new RegExp(`^${task}$`) }) });
        const named = row.filter({
          has: page.locator("th", { hasText: new RegExp(`^${metric}$`) }),
        });
        const signed = `${difference >= 0 ? "+" : ""}${number(difference)}`;
        const shown = await shownText(named);
        expect(shown).toContain(`${task} ${metric} ${number(mean_a)} ${number(mean_b)} ${signed}`);
        expect(shown.endsWith(` ${n}`), shown).toBe(true);
      }
      const flips = await shownText(page.locator(".flips"));
      for (const key of [...flipped.to_failure, ...flipped.to_success])
        expect(flips).toContain(key);
      await keepPicture(page, "compare");

      // Both paths of an episode are drawn in one scene, and a reload shows the same episode.
      const select = page.locator("#ghosts select");
      const option = select.locator("option", { hasText: NAVIGATION_EPISODE }).first();
      await select.selectOption(await option.getAttribute("value", { timeout: 20_000 }));
      const canvas = page.locator("#ghosts .scene-view[data-status=ready] canvas");
      await canvas.waitFor();
      await soon(async () => colourCount(await pixelsOf(canvas))).toBeGreaterThan(200);
      await page.reload();
      await canvas.waitFor();
      expect(await shownText(page.locator(".ghost-legend"))).toContain(RANDOM_RUN);
      expect(errors).toEqual([]);
    });
  });
}
