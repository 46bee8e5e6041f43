import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { shownText, soon, type Watched } from "../support/browser.js";
import { DAMAGED, episodeAddress, KNOWING, type Site, UNRECORDED, WALK } from "./site.js";

/** A page never stays blank: it says what is wrong. */
export function badInput(site: () => Site): void {
  describe("bad input", () => {
    // Whatever was shown before, and without loading everything anew.
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
      ["a run that is not there", "#/runs/nobody", "there is no run of this name"],
      ["an episode that is not there", `#/runs/${KNOWING}/episodes/none`, "no episode"],
      ["a comparison with a run that is not there", `#/compare/${KNOWING}/nobody`, "no run"],
      ["a page that is not there", "#/somewhere/else", "This page does not exist."],
      ["a run's name that leads out", "#/runs/..%2F..%2Fetc", "there is no run of this name"],
      ["a run that cannot be read", "#/runs/unreadable", "run.json"],
    ])("%s is told of", async (_, address, words) => {
      const { page, errors } = await shown(address);
      const alert = page.locator("main [role=alert]").first();
      await soon(() => shownText(alert)).toContain(words);
      expect(await page.getByRole("link", { name: "Back to all runs" }).count()).toBe(1);
      expect(errors.filter(isOwnFault)).toEqual([]);
    });

    test("a damaged trajectory is told of, and the run's other episodes can be seen", async () => {
      const address = await episodeAddress(site(), DAMAGED, WALK);
      const { page, errors } = await shown(address);
      const alert = page.locator("main [role=alert]").first();
      await soon(() => shownText(alert)).toMatch(/trajector/i);
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.locator(".scene-view[data-status=ready]").waitFor();
      expect(errors.filter(isOwnFault)).toEqual([]);
    });

    test("an episode without a trajectory has its result and says that there is nothing to play", async () => {
      const address = await episodeAddress(site(), UNRECORDED, WALK);
      const { page, errors } = await shown(address);
      await page.getByText("No trajectory was recorded").waitFor();
      expect(await shownText(page.locator(".episode-why"))).toContain("success 0.000");
      await page.getByRole("link", { name: "Back to the run" }).click();
      await soon(() => page.locator("#episodes tbody tr:not(.spacer)").count()).toBeGreaterThan(0);
      expect(errors).toEqual([]);
    });

    test("nonsense in the address is taken for what is usual", async () => {
      const address = await episodeAddress(site(), KNOWING, WALK);
      const { page, errors } = await shown(`${address}?t=-9e9&speed=x&cam=%zz`);
      const slider = page.getByRole("slider", { name: "Step" });
      await slider.waitFor();
      expect(await slider.inputValue()).toBe("0");
      expect(errors).toEqual([]);
    });

    test.each([
      "/../../../../etc/passwd",
      "/api/runs/..%2f..%2fetc/files/passwd",
      `/api/runs/${KNOWING}/files/run.json`,
      `/api/runs/${KNOWING}/files/..%2f..%2f..%2fetc%2fpasswd.mp4`,
      "/api/scenes/..%2f..%2fpackage.json.glb",
      "/%2e%2e/%2e%2e/package.json",
    ])("%s does not lead out of the folder", async (path) => {
      const { status, body } = await raw(site().view.url, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(body)).toMatchObject({ code: expect.any(String) });
    });
  });
}

/** The browser itself notes each answer that is no success; that one came is what these tests are about. */
function isOwnFault(error: string): boolean {
  return !error.startsWith("Failed to load resource: the server responded with a status of 4");
}

/** Asks for a path as it stands: fetch would tidy it up. */
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
