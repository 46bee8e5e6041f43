import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { number } from "../../src/runs/report/format.js";
import { keepPicture, shownText } from "../support/browser.js";
import { robotEval, temporaryFolder } from "../support/cli.js";
import { EXPERT, episodeAddress, NAVIGATION, type Site, summaryOf } from "./site.js";

/** A static web server with the pages in one of its folders. */
const BELOW = "/somebody/results/";

/** The pages as files. */
export function staticExport(site: () => Site): void {
  describe("a static export", () => {
    test("a static export works on any static web server", async () => {
      const { browser, folder } = site();
      const pages = join(temporaryFolder(), "pages");
      const { code, stderr } = await robotEval(
        ["view", oneEpisode(folder), "--export", pages, "--frames", "3"],
        folder,
      );
      expect(code, stderr).toBe(0);
      const url = await serve(pages);

      const { page, errors } = await browser.open(url);
      await page.locator(`a[href="#/runs/${EXPERT}"]`).click();
      const { per_task, primary_metrics } = summaryOf(folder, EXPERT);
      const [task = "", metric = ""] = Object.entries(primary_metrics)[0] ?? [];
      const big = page.locator(`.big-number[data-task="${task}"]`);
      await big.waitFor();
      expect(await shownText(big)).toBe(number(per_task[task]?.[metric]?.mean));
      await page.getByText("1 of 1 episodes").waitFor();

      await page.goto(`${url}${await episodeAddress(site(), EXPERT, NAVIGATION)}`);
      await page.locator(".scene-view[data-status=ready] canvas").waitFor();
      await page.keyboard.press("End");
      await keepPicture(page, "export-episode");
      expect(errors).toEqual([]);

      await page.goto(`${url}#/runs/nobody`);
      const alert = page.locator("main [role=alert]");
      await alert.waitFor();
      expect(await shownText(alert)).toContain("Not found");
    }, 180_000);
  });
}

/** One episode of the run: pictures of all would take a while. */
function oneEpisode(folder: string): string {
  const few = join(temporaryFolder(), EXPERT);
  cpSync(join(folder, EXPERT), few, { recursive: true });
  const lines = readFileSync(join(few, "episodes.jsonl"), "utf8").split("\n");
  const kept = lines.filter((line) => line.includes(`"${NAVIGATION}"`));
  writeFileSync(join(few, "episodes.jsonl"), `${kept.join("\n")}\n`);
  return few;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

async function serve(folder: string): Promise<string> {
  const server = createServer((asked, answer) => {
    const path = decodeURIComponent(asked.url ?? "").slice(BELOW.length) || "index.html";
    try {
      const content = readFileSync(join(folder, path));
      answer.writeHead(200, { "content-type": TYPES[extname(path)] ?? "" }).end(content);
    } catch {
      answer.writeHead(404, { "content-type": "text/html" }).end("<h1>404</h1>");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return `http://127.0.0.1:${port}${BELOW}`;
}
