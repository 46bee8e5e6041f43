import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, TestBrowser } from "../support/browser.js";
import { temporaryFolder } from "../support/cli.js";
import { sampled } from "../support/sampled.js";
import { badInput } from "./bad-input.js";
import { comparePage } from "./compare-page.js";
import { episodePage } from "./episode-page.js";
import { everyPage, PAGES } from "./every-page.js";
import { listPages } from "./list-pages.js";
import { makeRuns, type Site } from "./site.js";
import { staticExport } from "./static-export.js";
import { stressPage } from "./stress-page.js";
import { startView } from "./view-process.js";

const MAKING_RUNS_MS = 240_000;

const executable = chromiumPath();

describe.skipIf(executable === undefined)("the dashboard in a browser", () => {
  let made: Site | undefined;
  const site = () => {
    if (!made) throw new Error("the site is not ready");
    return made;
  };
  const browser = new TestBrowser(executable ?? "");

  beforeAll(async () => {
    const folder = temporaryFolder();
    await makeRuns(folder);
    made = { folder, browser, view: await startView(folder) };
  }, MAKING_RUNS_MS);

  listPages(site);
  episodePage(site);
  comparePage(site);
  stressPage(site);
  everyPage(site, sampled(PAGES, 3));
  badInput(site);
  staticExport(site);

  test("the server reports no internal error and exits with 0 on Ctrl-C", async () => {
    expect(site().view.faults()).toBe("");
    expect(await site().view.stop()).toBe(0);
  });
});
