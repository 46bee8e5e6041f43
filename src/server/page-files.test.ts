import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { PageFiles } from "./page-files.js";

it("the files of the page are those of the last build, even if it was rebuilt while served", async () => {
  const root = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  write("index.html", "first");
  write("old.js", "old");
  const files = new PageFiles(root);
  const text = async (name: string) => {
    const found = await files.get(name);
    return found && Buffer.from(found.body).toString();
  };
  expect([await text(""), await text("old.js")]).toEqual(["first", "old"]);
  expect(await files.get("")).toBe(await files.get("index.html"));
  write("index.html", "second build");
  write("new.js", "new");
  rmSync(join(root, "old.js"));
  expect([await text(""), await text("new.js")]).toEqual(["second build", "new"]);
  expect(await text("old.js")).toBeUndefined();
});
