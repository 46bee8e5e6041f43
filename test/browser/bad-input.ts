import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { shownText, soon, type Watched } from "../support/browser.js";
import { DAMAGED, EXPERT, episodeAddress, NAVIGATION, type Site, UNRECORDED } from "./site.js";

/** A page with bad input shows an error and is never blank. */
export function badInput(site: () => Site): void {
  describe("bad input", () => {
    // Independent of the page shown before, and without loading the document again.
    let watched: Watched;
    beforeAll(async () => {
      const { view, browser } = site();
      watched = await browser.open(view.url);
    });
    const shown = async (address: string) => {
      watched.errors.length = 0;
      await watched.page.goto(`${site().view.url}${address}`);
      return watched;
    };

    test.each([
      ["an unknown run", "#/runs/nobody", "there is no run of this name"],
      ["an unknown episode", `#/runs/${EXPERT}/episodes/none`, "no episode"],
      ["a comparison with an unknown run", `#/compare/${EXPERT}/nobody`, "no run"],
      ["an unknown page", "#/somewhere/else", "This page does not exist."],
      ["a run's name that leads out", "#/runs/..%2F..%2Fetc", "there is no run of this name"],
      ["a run that cannot be read", "#/runs/unreadable", "run.json"],
    ])("%s shows an error", async (_, address, words) => {
      const { page, errors } = await shown(address);
      const alert = page.locator("main [role=alert]").first();
      await soon(() => shownText(alert)).toContain(words);
      expect(await page.getByRole("link", { name: "Back to all runs" }).count()).toBe(1);
      expect(errors.filter(isOwnFault)).toEqual([]);
    });

    test("a damaged trajectory shows an error, and the other episodes of the run are shown", async () => {
      const address = await episodeAddress(site(), DAMAGED, NAVIGATION);
      const { page, errors } = await shown(address);
      const alert = page.locator("main [role=alert]").first();
      await soon(() => shownText(alert)).toMatch(/trajector/i);
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.locator(".scene-view[data-status=ready]").waitFor();
      expect(errors.filter(isOwnFault)).toEqual([]);
    });

    test("an episode without a trajectory shows its result and that it cannot be played", async () => {
      const address = await episodeAddress(site(), UNRECORDED, NAVIGATION);
      const { page, errors } = await shown(address);
      await page.getByText("No trajectory was recorded").waitFor();
      expect(await shownText(page.locator(".episode-why"))).toContain("success 0.000");
      await page.getByRole("link", { name: "Back to the run" }).click();
      await soon(() => page.locator("#episodes tbody tr:not(.spacer)").count()).toBeGreaterThan(0);
      expect(errors).toEqual([]);
    });

    test("invalid values in the URL are replaced by the defaults", async () => {
      const address = await episodeAddress(site(), EXPERT, NAVIGATION);
      const { page, errors } = await shown(`${address}?t=-9e9&speed=x&cam=%zz`);
      const slider = page.getByRole("slider", { name: "Step" });
      await slider.waitFor();
      expect(await slider.inputValue()).toBe("0");
      expect(errors).toEqual([]);
    });

    test.each([
      "/../../../../etc/passwd",
      "/api/runs/..%2f..%2fetc/files/passwd",
      `/api/runs/${EXPERT}/files/run.json`,
      `/api/runs/${EXPERT}/files/..%2f..%2f..%2fetc%2fpasswd.mp4`,
      "/api/scenes/..%2f..%2fpackage.json.glb",
      "/%2e%2e/%2e%2e/package.json",
    ])("%s gives no file outside the folder", async (path) => {
      const { status, body } = await raw(site().view.url, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(body)).toMatchObject({ code: expect.any(String) });
    });
  });
}

/** Removes the browser's own messages about failed responses, which these tests provoke. */
function isOwnFault(error: string): boolean {
  return !error.startsWith("Failed to load resource: the server responded with a status of 4");
}

/** Requests a path unchanged; fetch would normalise it. */
function raw(url: string, path: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });
}
