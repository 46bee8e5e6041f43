import { beforeAll, describe, expect, test } from "vitest";
import { number } from "../../src/runs/report/format.js";
import { shownText, soon, type Watched } from "../support/browser.js";
import { EXPERT, INVALID, PARTIAL, RANDOM, type Site, summaryOf, UNREADABLE } from "./site.js";

/** The runs page and a run's page: numbers, filter, order, choice. */
export function listPages(site: () => Site): void {
  describe("the runs page", () => {
    const shown = opened(site);

    test("the runs page shows every run with the numbers of its summary.json", async () => {
      const { folder } = site();
      const { page, errors } = await shown("#/");
      for (const run of [EXPERT, RANDOM]) {
        const { per_task, primary_metrics, episodes } = summaryOf(folder, run);
        const row = page.locator("tbody tr", { has: page.locator(`a[href="#/runs/${run}"]`) });
        await row.waitFor();
        const cells = await shownText(row);
        for (const [task, metric] of Object.entries(primary_metrics)) {
          const { mean, ci95 } = per_task[task]?.[metric] ?? {};
          const interval = ci95 ? `[${number(ci95[0])}, ${number(ci95[1])}]` : "–";
          expect(cells).toContain(`${task} ${metric} ${number(mean)} ${interval}`);
        }
        expect(await shownText(row.locator("td[data-label=n]"))).toBe(String(episodes.total));
        expect(cells).toContain("done");
      }
      expect(errors).toEqual([]);
    });

    test("the runs page shows how many episodes of the dataset a partial score has", async () => {
      const { page, errors } = await shown("#/");
      const row = page.locator("tbody tr", { has: page.locator(`a[href="#/runs/${PARTIAL}"]`) });
      await row.waitFor();
      expect(await shownText(row.locator("td[data-label=n]"))).toBe("1 / 3");
      expect(await shownText(row.locator(".status-cell"))).toBe("done partial");
      await page.goto(`${site().view.url}#/runs/${PARTIAL}`);
      const head = page.locator(".run-head");
      await head.waitFor();
      expect(await shownText(head)).toContain("done partial");
      expect(await shownText(head)).toContain("1 / 3 (0 success, 1 failure, 0 invalid)");
      expect(await shownText(page.locator(".notice"))).toContain(
        "This score is partial: 1 of 3 episodes were scored.",
      );
      expect(errors).toEqual([]);
    });

    test("the runs page lists unreadable runs with the reason", async () => {
      const { page } = await shown("#/");
      const notice = page.locator("section", { hasText: "Cannot be read (1)" });
      await notice.waitFor();
      expect(await shownText(notice)).toContain(UNREADABLE);
      expect(await shownText(notice.locator("p").first())).not.toBe("");
    });

    test("the runs page filters and sorts the runs, and the URL restores both", async () => {
      const { page, errors } = await shown("#/");
      const names = () => page.locator("tbody th a").evaluateAll(hrefs);
      await page.getByRole("searchbox").fill("agent:random");
      await soon(names).not.toContain(`#/runs/${EXPERT}`);
      expect(page.url()).toContain("q=agent%3Arandom");
      await page.getByRole("searchbox").fill("");
      await page.getByRole("button", { name: "Primary metric by task" }).click();
      await soon(async () => (await names())[0]).toBe(`#/runs/${EXPERT}`);
      await page.getByRole("button", { name: "Primary metric by task" }).click();
      // A run without a value is last in both orders.
      await soon(async () => (await names()).slice(-2)).toEqual([
        `#/runs/${EXPERT}`,
        `#/runs/${INVALID}`,
      ]);
      const before = await names();
      await page.reload();
      await soon(names).toEqual(before);
      expect(errors).toEqual([]);
    });

    test("the runs page explains an invalid filter and still shows the runs", async () => {
      const { page } = await shown("#/?q=agnt:random");
      await page.getByText("Did you mean “agent”?").waitFor();
      expect(await page.locator("tbody tr").count()).toBe(6);
    });
  });

  describe("a run's page", () => {
    const shown = opened(site);

    test("the page of a run shows the numbers of its summary.json: primary metrics first, then all", async () => {
      const { folder } = site();
      const { page, errors } = await shown(`#/runs/${RANDOM}`);
      const { per_task, primary_metrics } = summaryOf(folder, RANDOM);
      await page.locator(".big-number").first().waitFor();
      for (const [task, primary] of Object.entries(primary_metrics)) {
        const big = page.locator(`.big-number[data-task="${task}"]`);
        expect(await shownText(big)).toBe(number(per_task[task]?.[primary]?.mean));
        const table = page.locator("#tasks table", {
          has: page.locator("caption", { hasText: task }),
        });
        const rows = await table.locator("tbody tr").evaluateAll(cellTexts);
        for (const [metric, { mean, ci95, count }] of Object.entries(per_task[task] ?? {})) {
          const interval = ci95 ? `[${number(ci95[0])}, ${number(ci95[1])}]` : "–";
          const row = rows.find(([name]) => name?.split(" ")[0] === metric);
          expect(row, `${task} ${metric}`).toEqual(
            expect.arrayContaining([number(mean), interval, String(count)]),
          );
        }
      }
      expect(errors).toEqual([]);
    });

    test("the page of a run says in red that all episodes are invalid, and why", async () => {
      const { page, errors } = await shown("#/");
      const { invalid_episodes: invalid } = summaryOf(site().folder, INVALID);
      const row = page.locator("tbody tr", { has: page.locator(`a[href="#/runs/${INVALID}"]`) });
      const badge = row.locator(".status-cell .failure");
      await badge.waitFor();
      expect(await shownText(badge)).toBe("all invalid");
      const red = await badge.evaluate(colourOf);
      await page.goto(`${site().view.url}#/runs/${INVALID}`);
      const alert = page.locator(".notice [role=alert]");
      await alert.waitFor();
      const { length } = invalid;
      expect(length).toBeGreaterThan(1);
      const { code, message = "" } = invalid[0] ?? {};
      expect(await shownText(alert)).toBe(
        `No episode has a valid result: all ${length} are invalid ${length} × ${code}: ${message.replaceAll(/\s+/g, " ")}`,
      );
      expect(await alert.locator("strong").evaluate(colourOf)).toBe(red);
      const [r = 0, g = 0, b = 0] = (red.match(/\d+/g) ?? []).map(Number);
      expect(r).toBeGreaterThan(2 * Math.max(g, b));
      expect(errors).toEqual([]);
    });

    test("the page of a run filters its episodes by outcome, metric and task, and the URL restores the filter", async () => {
      const { page, errors } = await shown(`#/runs/${EXPERT}`);
      await page.getByText("6 of 6 episodes").waitFor();
      await page.locator("#episodes").getByRole("searchbox").fill("spl<0.99999");
      await expect
        .poll(() => shownText(page.locator("#episodes [role=status]")))
        .not.toContain("6 of");
      await page.locator("#episodes").getByRole("searchbox").fill("outcome:failure");
      await page.locator("#episodes").getByRole("button", { name: "vln" }).click();
      await page.getByText("0 of 1 episodes").waitFor();
      await page.reload();
      await page.getByText("0 of 1 episodes").waitFor();
      expect(page.url()).toMatch(/task=vln/);
      expect(errors).toEqual([]);
    });

    test("the page of a run opens an episode with the keyboard alone, failures first", async () => {
      const { page, errors } = await shown(`#/runs/${RANDOM}?tab=episodes`);
      const rows = page.locator("#episodes tbody tr:not(.spacer)");
      await rows.first().waitFor();
      expect(await shownText(rows.first())).toContain("failure");
      await page.locator("#episodes a.row-link[tabindex='0']").focus();
      await page.keyboard.press("ArrowDown");
      await page.locator("#episodes a.row-link[data-index='1']:focus").waitFor();
      await page.keyboard.press("Enter");
      await page.locator(".episode-head h1").waitFor();
      expect(page.url()).toContain(`#/runs/${RANDOM}/episodes/`);
      expect(errors).toEqual([]);
    });
  });
}

/** One page for several tests: another address is shown without loading everything anew. */
function opened(site: () => Site): (address: string) => Promise<Watched> {
  let watched: Watched;
  beforeAll(async () => {
    const { view, browser } = site();
    watched = await browser.open(view.url);
  });
  return async (address) => {
    await watched.page.goto(`${site().view.url}${address}`);
    return watched;
  };
}

interface Link {
  getAttribute(name: string): string | null;
}

interface Row {
  readonly cells: Iterable<{ readonly textContent: string }>;
}

declare function getComputedStyle(element: object): { readonly color: string };

const colourOf = (element: object) => getComputedStyle(element).color;
const hrefs = (links: Link[]) => links.map((link) => link.getAttribute("href"));
const cellTexts = (rows: Row[]) =>
  rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent.trim()));
