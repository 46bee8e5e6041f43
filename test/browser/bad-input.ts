import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { shownText, soon, type Watched } from "../support/browser.js";
import {
  DAMAGED_RUN,
  EXPERT_RUN,
  episodeAddress,
  NAVIGATION_EPISODE,
  type Site,
  UNRECORDED_RUN,
} from "./site.js";

/** Checks that a page shows an error message for invalid addresses and damaged runs instead of staying blank. */
export function badInput(site: () => Site): void {
  describe("the dashboard on bad input", () => {
    // One page for all cases: a new fragment renders without loading the application again.
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
      ["an unknown episode", `#/runs/${EXPERT_RUN}/episodes/none`, "no episode"],
      ["a comparison with an unknown run", `#/compare/${EXPERT_RUN}/nobody`, "no run"],
      ["an unknown page", "#/somewhere/else", "This page does not exist."],
      ["a run name with a path traversal", "#/runs/..%2F..%2Fetc", "there is no run of this name"],
      ["a run whose run.json is damaged", "#/runs/unreadable", "run.json"],
    ])("shows an error for %s", async (_, address, words) => {
      const { page, errors } = await shown(address);
      const alert = page.locator("main [role=alert]").first();
      await soon(() => shownText(alert)).toContain(words);
      expect(await page.getByRole("link", { name: "Back to all runs" }).count()).toBe(1);
      expect(errors.filter(isOwnFault)).toEqual([]);
    });

    test("shows an error for a damaged trajectory, and the run's other episodes still open", async () => {
      const address = await episodeAddress(site(), DAMAGED_RUN, NAVIGATION_EPISODE);
      const { page, errors } = await shown(address);
      const alert = page.locator("main [role=alert]").first();
      await soon(() => shownText(alert)).toMatch(/trajector/i);
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.locator(".scene-view[data-status=ready]").waitFor();
      expect(errors.filter(isOwnFault)).toEqual([]);
    });

    test("shows the result of an episode without a trajectory, with a note that none was recorded", async () => {
      const address = await episodeAddress(site(), UNRECORDED_RUN, NAVIGATION_EPISODE);
      const { page, errors } = await shown(address);
      await page.getByText("No trajectory was recorded").waitFor();
      expect(await shownText(page.locator(".episode-why"))).toContain("success 0.000");
      await page.getByRole("link", { name: "Back to the run" }).click();
      await soon(() => page.locator("#episodes tbody tr:not(.spacer)").count()).toBeGreaterThan(0);
      expect(errors).toEqual([]);
    });

    test("uses the defaults for invalid parameters in an episode's address", async () => {
      const address = await episodeAddress(site(), EXPERT_RUN, NAVIGATION_EPISODE);
      const { page, errors } = await shown(`${address}?t=-9e9&speed=x&cam=%zz`);
      const slider = page.getByRole("slider", { name: "Step" });
      await slider.waitFor();
      expect(await slider.inputValue()).toBe("0");
      expect(errors).toEqual([]);
    });

    test.each([
      "/../../../../etc/passwd",
      "/api/runs/..%2f..%2fetc/files/passwd",
      `/api/runs/${EXPERT_RUN}/files/run.json`,
      `/api/runs/${EXPERT_RUN}/files/..%2f..%2f..%2fetc%2fpasswd.mp4`,
      "/api/scenes/..%2f..%2fpackage.json.glb",
      "/%2e%2e/%2e%2e/package.json",
    ])("answers the path traversal %s with a 4xx error", async (path) => {
      const { status, body } = await raw(site().view.url, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(body)).toMatchObject({ code: expect.any(String) });
    });
  });
}

/** False for the console message that the browser adds for each 4xx answer, which these tests cause on purpose. */
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
