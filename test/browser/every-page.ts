import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { keepPicture, seriousIssues, shownText, soon } from "../support/browser.js";
import { episodeAddress, KNOWING, type Site, WALK, WANDERING } from "./site.js";

/** Each page by its address, and what is there once it can be used. */
const PAGES: readonly (readonly [
  name: string,
  address: (site: Site) => string | Promise<string>,
  ready: string,
])[] = [
  ["runs", () => "#/", ".runs-table tbody tr"],
  ["run", () => `#/runs/${WANDERING}`, "#episodes tbody tr:not(.spacer)"],
  ["episode", (site) => episodeAddress(site, WANDERING, WALK), ".scene-view[data-status=ready]"],
  ["compare", () => `#/compare/${KNOWING}/${WANDERING}`, ".difference-table tbody tr"],
];

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What holds on all of them: for whom they can be used, in which language and light, and on what screen. */
export function everyPage(site: () => Site): void {
  const open = async (
    [, address, ready]: (typeof PAGES)[number],
    query: string,
    options: Parameters<Site["browser"]["open"]>[1] = {},
  ) => {
    const { view, browser } = site();
    const watched = await browser.open(`${view.url}${await address(site())}?${query}`, options);
    await watched.page.locator(ready).first().waitFor();
    return watched;
  };

  describe.each(PAGES)("the %s page", (...place) => {
    test("keeps nobody out, light or dark, and fits 1280 pixels", async () => {
      const { page, errors } = await open(place, "");
      for (const theme of ["light", "dark"]) {
        expect(await themeOf(page)).toBe(theme);
        // Dark is the same page in other colours.
        const rules = theme === "dark" ? ["color-contrast"] : [];
        expect(await seriousIssues(page, ...rules), theme).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        await keepPicture(page, `${place[0]}-${theme}`);
        if (theme === "light") await page.getByRole("button", { name: "Dark" }).click();
      }
      expect(errors).toEqual([]);
    });

    test("fits a phone, and keeps nobody out there, in Chinese", async () => {
      const { page, errors } = await open(place, "", { ...PHONE, locale: "zh-CN" });
      expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await seriousIssues(page)).toEqual([]);
      await keepPicture(page, `${place[0]}-phone`);
      expect(errors).toEqual([]);
    });
  });

  describe("a reader's choices", () => {
    test("the language can be switched, and stays", async () => {
      const { page, errors } = await open(["runs", () => "#/", ".runs-table tbody tr"], "");
      expect(await shownText(page.locator("h1"))).toBe("Runs");
      await page.getByRole("button", { name: "中文" }).click();
      await soon(() => shownText(page.locator("h1"))).toMatch(/\p{Script=Han}/u);
      await page.reload();
      await soon(() => shownText(page.locator("h1"))).toMatch(/\p{Script=Han}/u);
      await page.getByRole("button", { name: "English" }).click();
      await soon(() => shownText(page.locator("h1"))).toBe("Runs");
      expect(errors).toEqual([]);
    });

    test("dark is the system's choice until the reader makes one, which stays", async () => {
      const dark = { colorScheme: "dark" } as const;
      const { page } = await open(["runs", () => "#/", ".runs-table tbody tr"], "", dark);
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
