import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunComparison } from "../../src/runs/compare/documents.js";
import { number } from "../../src/runs/report/format.js";
import { formatP } from "../../web/src/format.js";
import { colourCount, keepPicture, pixelsOf, shownText, soon } from "../support/browser.js";
import { robotEval } from "../support/cli.js";
import { EXPERT, NAVIGATION, RANDOM, type Site } from "./site.js";

/** The comparison of two runs. */
export function comparePage(site: () => Site): void {
  describe("the compare page", () => {
    test("the compare page opens for two selected runs, with the numbers of robot-eval compare and both paths of an episode", async () => {
      const { view, browser, folder } = site();
      const { page, errors } = await browser.open(view.url);
      await page.getByLabel(`Select ${EXPERT} for comparison`).check();
      await page.getByLabel(`Select ${RANDOM} for comparison`).check();
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await soon(() => page.url()).toContain(`#/compare/${EXPERT}/${RANDOM}`);
      await page.locator(".difference-table tbody tr").first().waitFor();
      const runs = [EXPERT, RANDOM].map((run) => join(folder, run));
      const { stdout } = await robotEval(["compare", ...runs, "--json"], folder);
      const { metrics, flipped }: RunComparison = JSON.parse(stdout);
      const rows = page.locator(".difference-table tbody tr");
      for (const { task, metric, mean_a, mean_b, difference, p, p_holm, n } of metrics) {
        const row = rows.filter({ has: page.locator("td", { hasText: new RegExp(`^${task}$`) }) });
        const named = row.filter({
          has: page.locator("th", { hasText: new RegExp(`^${metric}$`) }),
        });
        const signed = `${difference >= 0 ? "+" : ""}${number(difference)}`;
        const shown = await shownText(named);
        expect(shown).toContain(`${task} ${metric} ${number(mean_a)} ${number(mean_b)} ${signed}`);
        const tested = p_holm === null ? formatP(p) : `${formatP(p)} ${formatP(p_holm)}`;
        expect(shown).toContain(` ${tested} `);
        expect(shown.endsWith(` ${n}`), shown).toBe(true);
      }
      const flips = await shownText(page.locator(".flips"));
      for (const key of [...flipped.to_failure, ...flipped.to_success])
        expect(flips).toContain(key);
      await keepPicture(page, "compare");

      // Both ways of an episode in one scene, and the address brings it back.
      const select = page.locator("#ghosts select");
      const option = select.locator("option", { hasText: NAVIGATION }).first();
      await select.selectOption(await option.getAttribute("value", { timeout: 20_000 }));
      const canvas = page.locator("#ghosts .scene-view[data-status=ready] canvas");
      await canvas.waitFor();
      await soon(async () => colourCount(await pixelsOf(canvas))).toBeGreaterThan(200);
      await page.reload();
      await canvas.waitFor();
      expect(await shownText(page.locator(".ghost-legend"))).toContain(RANDOM);
      expect(errors).toEqual([]);
    });

    test("the compare page keeps A, B, the interval, p and n on a screen of 400 pixels", async () => {
      const { view, browser } = site();
      const { page, errors } = await browser.open(`${view.url}#/compare/${EXPERT}/${RANDOM}`, {
        viewport: { width: 400, height: 800 },
      });
      const row = page.locator(".difference-table tr.primary-row").first();
      await row.waitFor();
      for (const [label, value] of [
        ["A", /^\d/],
        ["B", /^\d/],
        ["95 % interval", /^\[.+, .+\]$/],
        ["p", /\d/],
        ["n", /^\d+$/],
      ] as const) {
        const cell = row.locator(`td[data-label="${label}"]`);
        expect(await shownText(cell), label).toMatch(value);
        expect(await cell.evaluate(labelOf), label).toBe(`"${label} "`);
        const { x = -1, width = 0 } = (await cell.boundingBox()) ?? {};
        expect(x).toBeGreaterThanOrEqual(0);
        expect(width).toBeGreaterThan(0);
        expect(x + width).toBeLessThanOrEqual(400);
      }
      await keepPicture(page, "compare-400");
      expect(errors).toEqual([]);
    });
  });
}

declare function getComputedStyle(element: object, part: string): { readonly content: string };

/** What is shown before an element. */
const labelOf = (element: object) => getComputedStyle(element, "::before").content;
