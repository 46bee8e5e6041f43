// The dashboard on a run of 10,000 episodes: the time until the primary metric is painted, and until the table is
// filtered. The bounds, measured in the same browser, are a page with only a number, and a plain filter over the same
// rows.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium, MAIN, startView } from "../scripts/headless.mjs";
import { median, row, skip } from "./measure.mjs";

const EPISODES = 10_000;
const LOADS = 7;
const GOALS = { paint: 2000, filter: 200 };
const FILTERS = ["outcome:failure", "spl<0.5", "scene:apartment/100-1*", "steps>60 task:vln"];

/** Without `rearrange`, whose episodes take minutes. */
const SIX = "task=vln|objectnav|image_nav|pick_place|stacking|opening";
const smoke = fileURLToPath(new URL("../configs/benchmarks/unified_smoke.yaml", import.meta.url));
const worker = fileURLToPath(new URL("dashboard-worker.mjs", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
const browser = await launchChromium();
try {
  console.log(`dashboard, a run of ${EPISODES} episodes`);
  if (browser) await measure(makeRun());
  else skip("dashboard", "no Chromium found: install it, or set its path in CHROMIUM");
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}

function makeRun() {
  const small = join(folder, "small");
  node(MAIN, "run", smoke, "--limit", "2", "--filter", SIX, "--out", small);
  const [name] = readdirSync(small);
  node(worker, join(small, name), join(folder, "runs", "large"), String(EPISODES));
  return join(folder, "runs");
}

function node(...args) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} failed:\n${stderr}`);
}

async function measure(runs) {
  const empty = createServer((_, answer) => {
    answer.writeHead(200, { "content-type": "text/html" });
    answer.end('<!doctype html><title>empty</title><p class="big-number">1.000</p>');
  });
  await new Promise((resolve) => empty.listen(0, "127.0.0.1", resolve));
  const view = await startView(runs);
  try {
    const address = `${view.url}#/runs/large`;
    const plain = `http://127.0.0.1:${empty.address().port}/`;
    // Warm up the browser first.
    const bound = [await paintMs(plain)];
    const first = await paintMs(address);
    const paint = [];
    for (let i = 0; i < LOADS; i++) {
      bound.push(await paintMs(plain));
      paint.push(await paintMs(address));
    }
    row(
      "first useful paint, relative to a page with only a number",
      times(median(paint), median(bound)),
    );
    row("  absolute", against(median(paint), GOALS.paint));
    row("  absolute, first load after the server's start", against(first, GOALS.paint));
    const { filter, plain: loop } = await filterMs(address);
    row("filtering the table, relative to an array filter", times(median(filter), median(loop)));
    row("  absolute, median", against(median(filter), GOALS.filter));
    row("  absolute, slowest", against(Math.max(...filter), GOALS.filter));
  } finally {
    view.stop();
    empty.close();
  }
}

/** From the start of navigation to the frame that shows the number, without a browser cache. */
async function paintMs(address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        if (!document.querySelector(".big-number")?.textContent) return requestAnimationFrame(look);
        // Wait for the next frame, when the number has been painted.
        return requestAnimationFrame(() => {
          window.painted = performance.now();
        });
      };
      requestAnimationFrame(look);
    });
    await page.goto(address);
    const painted = await page.waitForFunction(() => window.painted);
    return await painted.jsonValue();
  } finally {
    await context.close();
  }
}

/** From the input to the frame that shows the number of matching rows. */
async function filterMs(address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByText(`${EPISODES} of ${EPISODES} episodes`).waitFor();
  const filter = [];
  for (const text of FILTERS) {
    filter.push(await page.evaluate(timeInput, text));
    await page.evaluate(timeInput, "");
  }
  const plain = [];
  for (let i = 0; i < LOADS; i++) plain.push(await page.evaluate(timePlainFilter));
  await context.close();
  return { filter, plain };
}

/** Runs in the page. */
function timeInput(text) {
  const section = document.querySelector("#episodes");
  const input = section.querySelector("input[type=search]");
  const status = section.querySelector("p[role=status]");
  const before = status.textContent;
  // Use the native setter, because React overrides the property.
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  return new Promise((resolve, reject) => {
    const started = performance.now();
    setTimeout(
      () => reject(new Error(`the filter "${text}" did not change the status "${before}"`)),
      10_000,
    );
    const watcher = new MutationObserver(() => {
      if (status.textContent === before) return;
      watcher.disconnect();
      requestAnimationFrame(() =>
        requestAnimationFrame(() => resolve(performance.now() - started)),
      );
    });
    watcher.observe(status, { childList: true, subtree: true, characterData: true });
    set.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Runs in the page: the lower bound for any table. */
async function timePlainFilter() {
  const rows = [];
  for (let n = 0, pages = 1; n < pages; n++) {
    const page = await (await fetch(`api/runs/large/episodes-${n}.json`)).json();
    rows.push(...page.rows);
    pages = page.pages;
  }
  const started = performance.now();
  const kept = rows.filter((row) => row.outcome === "failure" && row.scene.startsWith("apartment"));
  return kept.length > 0 ? performance.now() - started : Number.NaN;
}

function times(ms, bound) {
  return `${(ms / bound).toFixed(1)} x`;
}

function against(ms, goal) {
  return `${ms.toFixed(0)} ms (goal: under ${goal} ms)${ms < goal ? "" : " MISSED"}`;
}
