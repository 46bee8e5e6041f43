import { describe, expect, test } from "vitest";
import { shownText, soon } from "../support/browser.js";
import { EXPERT, RANDOM, type Site } from "./site.js";

export function stressPage(site: () => Site): void {
  describe("the robustness page", () => {
    test("the robustness page shows the numbers of a selected cell, and links to its pairs", async () => {
      const { view, browser } = site();
      const { page, errors } = await browser.open(`${view.url}#/stress`);
      const cells = page.locator(".heat-cell button");
      await soon(() => cells.count()).toBe(3);
      expect(await shownText(cells.nth(1))).toContain("40 %");
      await cells.nth(1).click();
      await soon(() => page.url()).toContain("axis=brightness&level=2");
      expect(await shownText(page.locator("main"))).toContain("-0.500 [-0.650, -0.350]");
      const compared = page.getByRole("link", { name: "Compare its episodes" });
      expect(await compared.getAttribute("href")).toBe(`#/compare/${EXPERT}/${RANDOM}`);
      expect(errors).toEqual([]);
    });

    test("the robustness page opens a telling episode with both trajectories in one scene", async () => {
      const { view, browser } = site();
      const { page, errors } = await browser.open(`${view.url}#/stress`);
      await page.getByRole("link", { name: "Both in 3D" }).click();
      await page.locator(".scene-view[data-status=ready]").waitFor();
      expect(errors).toEqual([]);
    });

    test("the robustness page is linked from the list of runs", async () => {
      const { view, browser } = site();
      const { page, errors } = await browser.open(view.url);
      await page.getByRole("link", { name: "Robustness" }).click();
      await page.locator(".heat-map tbody tr").waitFor();
      expect(errors).toEqual([]);
    });
  });
}
