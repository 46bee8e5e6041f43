// Takes the README's screenshots of the dashboard: evaluates three agents, serves the runs, and captures the four
// pages. Run it after `npm run build`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { launchChromium, MAIN, startView } from "./headless.mjs";

const SMOKE = fileURLToPath(new URL("../configs/benchmarks/unified_smoke.yaml", import.meta.url));
const OUT = fileURLToPath(new URL("../docs/images/dashboard", import.meta.url));

/** Expert agents, noisy experts and a random agent. */
const RUNS = {
  expert: [],
  noisy: [
    "--agent",
    "vln=noisy:0.3,objectnav=noisy:0.3,image_nav=noisy:0.2,pick_place=noisy:0.1:expert,stacking=noisy:0.05:expert,opening=noisy:0.1:expert,rearrange=noisy:0.05:expert",
    ...["--set", "evaluation.max_steps=120"],
  ],
  random: ["--agent", "random", "--set", "evaluation.max_steps=60"],
};

/** A fixed wait, because live pages keep a connection open and the network is never idle. */
const SETTLING_MS = 6000;
const MAX_BYTES = 300_000;

const folder = mkdtempSync(join(tmpdir(), "robot-eval-pictures-"));
const browser = await launchChromium();
if (!browser) throw new Error("no Chromium found: install it, or set its path in CHROMIUM");
let view;
try {
  for (const [name, args] of Object.entries(RUNS)) {
    const words = ["run", SMOKE, "--out", folder, "--run-id", name, ...args];
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${words.join(" ")} failed:\n${stderr}`);
  }
  view = await startView(folder);
  mkdirSync(OUT, { recursive: true });
  const episode = await failedWalk(view.url);
  const ready = ".scene-view[data-status=ready]";
  const compared = `#/compare/expert/noisy?task=vln&episode=${encodeURIComponent(episode)}`;
  await take("runs", "#/", ".runs-table tbody tr");
  await take("run", "#/runs/noisy", "#episodes tbody tr:not(.spacer)");
  await take("episode", `#/runs/noisy/episodes/${encodeURIComponent(episode)}?t=60`, ready);
  await take("compare", compared, `#ghosts ${ready}`);
} finally {
  await browser.close();
  view?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The longest failed navigation episode, or else the longest one. */
async function failedWalk(url) {
  const answer = await fetch(`${url}api/runs/noisy/episodes-0.json`);
  const { rows } = await answer.json();
  const walks = rows.filter(({ task }) => task === "vln").sort((a, b) => b.steps - a.steps);
  return (walks.find(({ outcome }) => outcome === "failure") ?? walks[0]).id;
}

async function take(name, address, ready) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(`${view.url}${address}`);
  await page.locator(ready).first().waitFor({ timeout: 60_000 });
  // Thumbnails, plots and camera images load last.
  await page.waitForTimeout(SETTLING_MS);
  const path = join(OUT, `${name}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 88 })
    .toFile(path);
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; the limit is ${MAX_BYTES}`);
  console.log(`${path} (${Math.round(size / 1000)} kB)`);
  await context.close();
}
