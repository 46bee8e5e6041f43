import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { keepPicture, seriousIssues, shownText, soon, type Watched } from "../support/browser.js";
import { EXPERT, episodeAddress, NAVIGATION, RANDOM, type Site } from "./site.js";

const RUNS_READY = ".runs-table tbody tr";

/** Each page with its URL and an element that exists when it is ready. */
export const PAGES: readonly (readonly [
  name: string,
  address: (site: Site) => string | Promise<string>,
  ready: string,
])[] = [
  ["runs", () => "#/", RUNS_READY],
  ["run", () => `#/runs/${RANDOM}`, "#episodes tbody tr:not(.spacer)"],
  ["episode", (site) => episodeAddress(site, RANDOM, NAVIGATION), ".scene-view[data-status=ready]"],
  ["stress", () => "#/stress", ".heat-map tbody tr"],
  ["compare", () => `#/compare/${EXPERT}/${RANDOM}`, ".difference-table tbody tr"],
];

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Requirements of every page: accessibility, language, theme and screen width. */
export function everyPage(site: () => Site, pages: typeof PAGES): void {
  const open = async (options: Parameters<Site["browser"]["open"]>[1] = {}) => {
    const { view, browser } = site();
    const watched = await browser.open(view.url, options);
    await watched.page.locator(RUNS_READY).first().waitFor();
    return watched;
  };

  describe("on 1280 pixels", () => {
    let watched: Watched;
    beforeAll(async () => {
      watched = await open();
    });

    test.each(pages)(
      "the %s page is accessible in the light and the dark theme",
      async (name, address, ready) => {
        const { page, errors } = watched;
        for (const theme of ["light", "dark"]) {
          await page.goto(`${site().view.url}${await address(site())}?theme=${theme}`);
          await page.locator(ready).first().waitFor();
          await soon(() => themeOf(page)).toBe(theme);
          // The dark theme is the same page in other colours.
          const rules = theme === "dark" ? ["color-contrast"] : [];
          expect(await seriousIssues(page, ...rules), theme).toEqual([]);
          expect(await sidewaysScroll(page)).toBe(0);
          await keepPicture(page, `${name}-${theme}`);
        }
        expect(errors).toEqual([]);
      },
    );
  });

  describe("on a phone, in Chinese", () => {
    let watched: Watched;
    beforeAll(async () => {
      watched = await open({ ...PHONE, locale: "zh-CN" });
    });

    test.each(pages)(
      "the %s page fits the screen and is accessible",
      async (name, address, ready) => {
        const { page, errors } = watched;
        await page.goto(`${site().view.url}${await address(site())}`);
        await page.locator(ready).first().waitFor();
        expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
        expect(await sidewaysScroll(page)).toBe(0);
        expect(await seriousIssues(page)).toEqual([]);
        await keepPicture(page, `${name}-phone`);
        expect(errors).toEqual([]);
      },
    );
  });

  describe("preferences", () => {
    test("the selected language is kept", async () => {
      const { page, errors } = await open();
      expect(await shownText(page.locator("h1"))).toBe("Runs");
      await page.getByRole("button", { name: "中文" }).click();
      await soon(() => shownText(page.locator("h1"))).toMatch(/\p{Script=Han}/u);
      await page.reload();
      await soon(() => shownText(page.locator("h1"))).toMatch(/\p{Script=Han}/u);
      await page.getByRole("button", { name: "English" }).click();
      await soon(() => shownText(page.locator("h1"))).toBe("Runs");
      expect(errors).toEqual([]);
    });

    test("the theme follows the system until one is selected, which is kept", async () => {
      const { page } = await open({ colorScheme: "dark" });
      expect(await themeOf(page)).toBe("dark");
      const ground = await background(page);
      await page.getByRole("button", { name: "Dark" }).click();
      await soon(() => themeOf(page)).toBe("light");
      expect(await background(page)).not.toBe(ground);
      await page.reload();
      await soon(() => themeOf(page)).toBe("light");
    });
  });
}

function themeOf(page: Page): Promise<string> {
  return page.evaluate<string>("document.documentElement.dataset.theme");
}

function background(page: Page): Promise<string> {
  return page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
}

/** Pixels by which the page is wider than the screen. */
function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}
