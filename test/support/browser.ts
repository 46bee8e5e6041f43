import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import sharp from "sharp";
import { afterAll, expect } from "vitest";
import { installIfMissing } from "./debian.js";
import { ROOT } from "./manipulation.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
/** A shell command that succeeds if one of them is on the path. */
const PRESENT = NAMES.map((name) => `command -v ${name} >/dev/null`).join(" || ");

/** Renders WebGL in software, because test machines have no GPU. */
const SOFTWARE_WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const ARGUMENTS = ["--no-sandbox", ...SOFTWARE_WEBGL];

/** Folder for screenshots that a test run leaves for inspection. */
const PICTURES = join(ROOT, "test-results");

/** axe impact levels that block or seriously impede users of assistive technology. */
const SERIOUS = new Set<string | null | undefined>(["serious", "critical"]);

/**
 * Path of a Chromium: `CHROMIUM`, one on the path, or Debian's package, installed if run as root. Undefined if none
 * is available, which fails under CI.
 */
export function chromiumPath(): string | undefined {
  if (process.env.CHROMIUM === undefined) installIfMissing("chromium", PRESENT);
  const found = process.env.CHROMIUM ?? onPath();
  if (found !== undefined) return found;
  const why = "no Chromium can be had here: install one, or name it in CHROMIUM";
  if (process.env.CI) throw new Error(`${why}: under CI these tests must run`);
  process.stderr.write(`SKIPPED: ${why}\n`);
  return undefined;
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((place) => existsSync(place));
}

/** A page and its unexpected console messages. */
export interface Watched {
  readonly page: Page;
  /** Console errors and uncaught exceptions since the page was opened. */
  readonly errors: string[];
}

/** A browser for the tests of a file, closed after them. */
export class TestBrowser {
  readonly #executable: string;
  #browser: Promise<Browser> | undefined;

  constructor(executable: string) {
    this.#executable = executable;
    afterAll(async () => {
      const browser = await this.#browser;
      await browser?.close();
    });
  }

  /** Opens a page in its own context, without shared cookies or settings. */
  async open(address: string, options: BrowserContextOptions = {}): Promise<Watched> {
    this.#browser ??= chromium.launch({ executablePath: this.#executable, args: ARGUMENTS });
    const browser = await this.#browser;
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-GB",
      colorScheme: "light",
      // Reduced motion, so that screenshots do not depend on animation timing.
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(40_000);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
    await page.goto(address);
    return { page, errors };
  }
}

/**
 * Serious accessibility violations that axe finds on a page, one line each.
 *
 * @param rules run only these rules; all if absent
 */
export async function seriousIssues(page: Page, ...rules: readonly string[]): Promise<string[]> {
  // Evaluated instead of added as a script, which the page's content security policy would block.
  await page.evaluate(axe.source);
  const only = rules.length > 0 ? `runOnly: ${JSON.stringify(rules)}, ` : "";
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(document, { ${only}resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => SERIOUS.has(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
}

/** Saves a screenshot of the page in `test-results/`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** The visible text of an element, with single spaces. */
export async function shownText(locator: Locator): Promise<string> {
  return (await locator.allInnerTexts()).join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Retries until the page reaches the expected state. */
export function soon<T>(look: () => Promise<T> | T) {
  return expect.poll(look, { timeout: 30_000, interval: 50 });
}

/** The pixels of a rendered element: three bytes per pixel. */
export async function pixelsOf(locator: Locator): Promise<Uint8Array> {
  return sharp(await locator.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Share of pixels that differ by more than noise. */
export function differingShare(a: Uint8Array, b: Uint8Array): number {
  let differing = 0;
  for (let i = 0; i < a.length; i += 3) {
    const by = [0, 1, 2].map((k) => Math.abs((a[i + k] ?? 0) - (b[i + k] ?? 0)));
    if (Math.max(...by) > 16) differing++;
  }
  return differing / (a.length / 3);
}

export function colourCount(pixels: Uint8Array): number {
  const colours = new Set<number>();
  for (let i = 0; i < pixels.length; i += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
    colours.add((r << 16) | (g << 8) | b);
  }
  return colours.size;
}
