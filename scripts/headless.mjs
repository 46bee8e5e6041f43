// Starts a headless browser and the dashboard, for screenshots and benchmarks.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
export const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Undefined if no Chromium is found. Set its path in CHROMIUM, or install Debian's `chromium`. */
export async function launchChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const executablePath = process.env.CHROMIUM ?? paths.find((path) => existsSync(path));
  if (executablePath === undefined) return undefined;
  // Software WebGL, because there may be no graphics card.
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  return chromium.launch({ executablePath, args });
}

/** Starts `robot-eval view` on a free port; returns its URL and a function that stops it. */
export async function startView(runs) {
  const child = spawn(process.execPath, [MAIN, "view", runs, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => resolve(text.trim()));
    child.on("close", (code) => reject(new Error(`robot-eval view ended with ${code}`)));
  });
  return { url, stop: () => child.kill("SIGINT") };
}
