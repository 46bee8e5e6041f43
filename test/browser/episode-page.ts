import { beforeAll, describe, expect, test } from "vitest";
import { number } from "../../src/runs/report/format.js";
import {
  colourCount,
  differingShare,
  keepPicture,
  pixelsOf,
  shownText,
  soon,
  type Watched,
} from "../support/browser.js";
import { linesOf } from "../support/cli.js";
import { EXPERT, episodeAddress, MANIPULATION, NAVIGATION, RANDOM, type Site } from "./site.js";

/** An episode's page: the 3D scene, the time cursor, and the explanation of the scores. */
export function episodePage(site: () => Site): void {
  describe("the page of a navigation episode", () => {
    const shown = episodeShown(site, NAVIGATION);

    test("the page of a navigation episode draws the episode in 3D, and another image for another step", () =>
      drawsMoments(shown(), "vln"));

    test("the page of a navigation episode moves through the steps with keys and slider, and the URL restores the step", async () => {
      const { page, errors } = shown();
      const slider = page.getByRole("slider", { name: "Step" });
      await page.keyboard.press("Home");
      await soon(() => slider.inputValue()).toBe("0");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await soon(() => page.url()).toContain("t=2");
      await page.keyboard.press("Shift+ArrowRight");
      await soon(() => page.url()).toContain("t=12");
      await slider.fill("7");
      await soon(() => page.url()).toContain("t=7");
      await page.getByRole("button", { name: "Top", exact: true }).click();
      await soon(() => page.url()).toContain("cam=top");
      await page.reload();
      await slider.waitFor();
      expect(await slider.inputValue()).toBe("7");
      expect(await shownText(page.locator(".time-now"))).toContain("step 7 of");
      const top = page.getByRole("button", { name: "Top", exact: true });
      expect(await top.getAttribute("aria-pressed")).toBe("true");
      expect(errors).toEqual([]);
    });

    test("the page of a navigation episode plays the episode and stops at the end", async () => {
      const { page, errors } = shown();
      await page.getByLabel("Speed").selectOption("8");
      const slider = page.getByRole("slider", { name: "Step" });
      const last = await slider.getAttribute("max");
      await slider.fill(String(Number(last) - 3));
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await soon(() => slider.inputValue()).toBe(last);
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      expect(errors).toEqual([]);
    });

    test("the page of a navigation episode shows breadcrumbs, the instruction, the outcome and the explanation of the scores", async () => {
      const { page } = shown();
      expect(await shownText(page.locator(".crumbs"))).toContain(NAVIGATION);
      await page.locator(".episode-why").waitFor();
      const line = (await linesOf(`${site().folder}/${EXPERT}`)).find(
        ({ episode_key }) => episode_key === NAVIGATION,
      );
      expect(await shownText(page.locator("main"))).toContain(line?.explanation);
      for (const [metric, value] of Object.entries(line?.metrics ?? {})) {
        const why = page.locator(".why-metric", {
          has: page.locator("h3 span", { hasText: new RegExp(`^${metric}$`) }),
        });
        expect(await shownText(why)).toContain(`${metric} ${number(value)}`);
      }
      // The formula with its numbers ends with the value.
      const spl = page.locator(".why-metric", { hasText: "spl" }).locator(".why-numbers");
      expect(await shownText(spl)).toMatch(/max\(.+\) = \d/i);
    });

    test("the page of a navigation episode shows the explanation in Chinese", async () => {
      const { page } = shown();
      await page.getByRole("button", { name: "中文" }).click();
      const why = page.locator(".why-metric", { hasText: "success" });
      await soon(() => shownText(why)).toContain("已调用 stop");
      expect(await shownText(page.locator(".episode-explanation"))).toMatch(/^\d+ 步后在距目标/);
      await page.getByRole("button", { name: "English" }).click();
    });

    test("the page of a navigation episode shows a command that runs the episode again", async () => {
      const { page, errors } = shown();
      await page.getByRole("button", { name: "Copy: Run this episode again" }).click();
      await page.getByText("Copied").waitFor();
      const copied = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(copied).toMatch(/^robot-eval run .*id=1\b/);
      expect(errors).toEqual([]);
    });
  });

  failedEpisode(site);

  describe("the page of a manipulation episode", () => {
    const shown = episodeShown(site, MANIPULATION);

    test("the page of a manipulation episode draws the episode in 3D, and another image for another step", () =>
      drawsMoments(shown(), "pick_place"));

    test("the page of a manipulation episode names the plotted joints after those of the robot", async () => {
      const { page, errors } = shown();
      const action = page.locator("figure.plot", { hasText: "action (joint position)" });
      expect(await shownText(action)).toMatch(/base_x .*lift .*gripper/);
      expect(errors).toEqual([]);
    });
  });
}

/** A failed episode opens at its most informative step, not at its first one. */
function failedEpisode(site: () => Site): void {
  describe("the page of a failed episode", () => {
    test("the page of a failed episode opens at the most telling step, with a link to step 0", async () => {
      const { view, browser } = site();
      const address = await episodeAddress(site(), RANDOM, MANIPULATION);
      const { page, errors } = await browser.open(`${view.url}${address}`, {
        viewport: { width: 600, height: 400 },
      });
      const slider = page.getByRole("slider", { name: "Step" });
      const telling = page.locator(".opened-at button").first();
      await telling.waitFor();
      const step = await slider.inputValue();
      expect(Number(step)).toBeGreaterThan(0);
      // A random agent neither grasps nor drops, so its last step is the most informative one.
      expect(await slider.getAttribute("max")).toBe(step);
      expect(await shownText(telling)).toBe(`Step ${step}: the end`);
      await page.getByRole("button", { name: "Go to step 0" }).click();
      await soon(() => slider.inputValue()).toBe("0");
      await telling.click();
      await soon(() => slider.inputValue()).toBe(step);
      expect(errors).toEqual([]);
    });
  });
}

/** One page for several tests, because software rendering is slow. */
function episodeShown(site: () => Site, key: string): () => Watched {
  let watched: Watched;
  beforeAll(async () => {
    const { view, browser } = site();
    const address = await episodeAddress(site(), EXPERT, key);
    watched = await browser.open(`${view.url}${address}`, {
      permissions: ["clipboard-read", "clipboard-write"],
      viewport: { width: 1000, height: 640 },
    });
  });
  return () => watched;
}

async function drawsMoments({ page, errors }: Watched, name: string): Promise<void> {
  const canvas = page.locator(".scene-view[data-status=ready] canvas");
  await canvas.waitFor();
  const start = await settled(() => pixelsOf(canvas));
  await page.keyboard.press("End");
  await soon(async () => differingShare(start, await pixelsOf(canvas))).toBeGreaterThan(0.005);
  // Neither image is a single colour.
  expect(colourCount(start)).toBeGreaterThan(200);
  await keepPicture(page, `episode-${name}`);
  expect(errors).toEqual([]);
}

/** The image after it stops changing, because cameras move with easing. */
async function settled(take: () => Promise<Uint8Array>): Promise<Uint8Array> {
  let before = await take();
  for (let i = 0; i < 40; i++) {
    const now = await take();
    if (differingShare(before, now) === 0) return now;
    before = now;
  }
  throw new Error("the picture does not stop changing");
}
