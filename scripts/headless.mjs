// A browser without a window and a dashboard to look at, for what makes pictures and for what measures.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
export const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Undefined where there is none: name one in CHROMIUM, or install Debian's `chromium`. */
export async function launchChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) return undefined;
  // WebGL is drawn by the processor: there may be no graphics card.
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  return chromium.launch({ executablePath, args });
}

/** `robot-eval view` on a port that is free: its address, and what ends it. */
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
