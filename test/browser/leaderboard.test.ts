import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  attempts,
  type Member,
  makeSite,
  type Site,
} from "../../src/server/challenge/http/site.fixture.js";
import {
  chromiumPath,
  keepPicture,
  seriousIssues,
  shownText,
  soon,
  TestBrowser,
} from "../support/browser.js";

/** Name, affiliation, share of solved episodes, submissions. */
const TEAMS = [
  ["Pathfinders", "ETH Zürich", 0.71, 2],
  ["NaviGators", "University of Florida", 0.69, 1],
  ["拓路者", "清华大学", 0.58, 1],
  ["Corridor Crew", "", 0.56, 1],
  [
    "Team Very Long Name That Nobody Could Have Foreseen",
    "Institute for Autonomous Systems",
    0.42,
    2,
  ],
  ["Lost & Found", "TU Delft", 0.4, 1],
  ["Random Walkers", "", 0.11, 1],
] as const;

const EPISODES = 240;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const executable = chromiumPath();

describe.skipIf(executable === undefined)("the challenge's pages", () => {
  const browser = new TestBrowser(executable ?? "");
  let site: Site;
  const members: Member[] = [];

  beforeAll(async () => {
    site = await makeSite();
    for (const [i, [name, affiliation, rate, tries]] of TEAMS.entries()) {
      const member = await site.join(name, affiliation);
      members.push(member);
      for (let k = 0; k < tries; k++) {
        const lines = attempts(EPISODES, rate - 0.04 * k, i + 1);
        await site.finish(member, lines, { name: `model v${k + 1}` });
      }
    }
    const twin = await site.join("Same Number", "HKU");
    members.push(twin);
    await site.finish(twin, attempts(EPISODES, 0.4, 6));
  });

  const checked = async (page: Page, name: string, errors: readonly string[]) => {
    expect(await seriousIssues(page), name).toEqual([]);
    expect(await sidewaysScroll(page), name).toBe(0);
    await keepPicture(page, `challenge-${name}`);
    expect(errors).toEqual([]);
  };

  test("the pages of a challenge show the ranking with intervals and marks, accessible in both themes", async () => {
    const { page, errors } = await browser.open(site.base, {
      viewport: { width: 1280, height: 1100 },
    });
    expect(await page.locator(".standings tbody tr").count()).toBe(TEAMS.length + 1);
    const marks = await page.locator(".mark").count();
    expect(marks).toBeGreaterThan(0);
    expect(marks).toBeLessThan(TEAMS.length);
    const first = await shownText(page.locator(".standings tbody tr").first());
    expect(first).toMatch(
      /^1 Pathfinders ETH Zürich model v1 best of 2 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\] 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\] 240/,
    );
    expect(await shownText(page.locator(".tied").first())).toBe("tied");
    await checked(page, "light", errors);
    await page.getByRole("button", { name: "Dark" }).click();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await checked(page, "dark", errors);
    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  });

  test("the pages of a challenge follow the theme of the system until one is selected", async () => {
    const { page, errors } = await browser.open(site.base, { colorScheme: "dark" });
    const button = page.getByRole("button", { name: "Dark" });
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("false");
    expect(errors).toEqual([]);
  });

  test("the pages of a challenge fit a phone in Chinese, and keep the selected language", async () => {
    const { page, errors } = await browser.open(site.base, { ...PHONE, locale: "zh-CN" });
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
    expect(await shownText(page.locator("h1"))).toBe("排行榜");
    await checked(page, "phone-zh", errors);
    await page.getByRole("link", { name: "English" }).click();
    expect(await shownText(page.locator("h1"))).toBe("Leaderboard");
    await page.goto(site.base);
    expect(await shownText(page.locator("h1"))).toBe("Leaderboard");
    await keepPicture(page, "challenge-phone");
  });

  test("the pages of a challenge are accessible in Chinese on a wide dark screen", async () => {
    const { page, errors } = await browser.open(site.base, {
      ...{ viewport: { width: 1280, height: 1100 }, locale: "zh-CN", colorScheme: "dark" },
    });
    expect(await shownText(page.locator(".mark").first())).toMatch(/^≈ /);
    await checked(page, "zh-dark", errors);
  });

  test("the pages of a challenge describe a phase and its limits", async () => {
    const { page, errors } = await browser.open(`${site.base}/phases/test/about`);
    expect(await shownText(page.locator("main"))).toContain("4 in all, at most 3 a day");
    await checked(page, "phase", errors);
    await page.goto(`${site.base}/phases/practice`);
    expect(await shownText(page.locator("#table"))).toContain("No submission was completed");
  });

  test("the pages of a challenge show a signed-in team its own submissions with live updates", async () => {
    const [member] = members;
    const { page, errors } = await browser.open(`${site.base}/team`);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByLabel("Team token").fill("rec_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    // A refusal is an error to the console too.
    errors.length = 0;
    await page.getByLabel("Team token").fill(member?.token ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".submissions").waitFor();
    expect(await shownText(page.locator("h1"))).toBe("Pathfinders");
    expect(await page.evaluate("document.cookie")).not.toContain("rec_");

    const { store, core } = site;
    const teamId = member?.team.id ?? "";
    const most = { total: 99, per_day: 99 };
    const opened = await store.openSubmission({ teamId, phase: "test", name: "live one", most });
    await store.transition(opened.id, ["waiting_for_agent"], "queued");
    await store.transition(opened.id, ["queued"], "running");
    await store.setProgress(opened.id, 60, 240);
    core.changed(opened);
    await soon(() => shownText(page.locator(".submissions tbody tr").first())).toContain(
      "60 of 240 episodes",
    );
    // What was unfolded stays so while the page follows.
    await page.getByText("Cancel …").click();
    await store.setProgress(opened.id, 90, 240);
    core.changed(opened);
    const row = page.locator(".submissions tbody tr").first();
    await soon(() => shownText(row)).toContain("90 of 240 episodes");
    await checked(page, "team", errors);
    await page.getByRole("button", { name: "Cancel this submission" }).click();
    await soon(() => shownText(row)).toContain("cancelled by the team");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator(".standings").waitFor();
    await page.goto(`${site.base}/team`);
    expect(await page.getByLabel("Team token").count()).toBe(1);
  });

  test("the pages of a challenge update the leaderboard without a reload, and work without a script", async () => {
    const { page } = await browser.open(site.base);
    await page.evaluate("window.sameDocument = true");
    const late = await site.join("Late Comers");
    await site.finish(late, attempts(EPISODES, 0.9, 77));
    await soon(() => shownText(page.locator(".standings .team").first())).toBe("Late Comers");
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    const plain = await browser.open(site.base, { javaScriptEnabled: false });
    expect(await plain.page.locator(".standings tbody tr").count()).toBe(TEAMS.length + 2);
  });
});

function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}
