import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

describe("the documentation site of npm run docs", () => {
  let site = "";
  let pages: readonly string[] = [];
  beforeAll(() => {
    site = join(temporaryFolder(), "site");
    const { status, stderr, stdout } = spawnSync("node", [join(root, "scripts/docs.mjs"), site], {
      encoding: "utf8",
    });
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    pages = readdirSync(site, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html"))
      .map((name) => join(site, name));
  }, 300_000);

  it("the documentation site of npm run docs has a page with a search entry for each page of docs/", () => {
    const script = readFileSync(join(site, "assets/search.js"), "utf8");
    const packed = /"([^"]+)"/.exec(script)?.[1] ?? "";
    const { rows } = JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString()) as {
      readonly rows: readonly { readonly name: string; readonly url: string }[];
    };
    for (const file of readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"))) {
      const heading = /^# (.+)$/m.exec(readFileSync(join(root, "docs", file), "utf8"))?.[1];
      const entry = rows.find(({ name }) => name === heading?.replaceAll("`", ""));
      expect(entry, `${file}: ${heading}`).toBeDefined();
      expect(existsSync(join(site, decodeURIComponent(entry?.url ?? "?"))), file).toBe(true);
    }
    expect(rows.map(({ name }) => name)).toContain("UnifiedRobotEvaluator");
  });

  it("the documentation site of npm run docs has no internal link whose page or heading does not exist", () => {
    const texts = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));
    const ids = new Map(
      [...texts].map(([page, text]) => [
        page,
        new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const links = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => ({ page, link })),
    );
    const broken = links.filter(({ page, link }) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", heading = ""] = link
        .replaceAll("&amp;", "&")
        .split("#")
        .map(decodeURIComponent);
      const target = path === "" ? page : resolve(dirname(page), path.replace(/\?.*/, ""));
      if (!existsSync(target)) return true;
      // Without a heading, # is the top of the page.
      return heading !== "" && ids.get(target)?.has(heading) === false;
    });
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(1000);
  });
});
