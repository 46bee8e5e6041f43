import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { writeAtomic, writeJson } from "./files.js";

describe("an atomic write", () => {
  it.each(["now", "later"] as const)(
    "an atomic write replaces the content, synced %s",
    async (sync) => {
      const folder = temporaryFolder();
      const path = join(folder, "file");
      writeFileSync(path, "old");
      await writeAtomic(path, "new", sync);
      expect(readFileSync(path, "utf8")).toBe("new");
      expect(readdirSync(folder)).toEqual(["file"]);
    },
  );

  it("an atomic write keeps the old content and no temporary file when writing fails", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file");
    writeFileSync(path, "old");
    const unwritable = { not: "bytes" } as unknown as string;
    await expect(writeAtomic(path, unwritable)).rejects.toThrow();
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("an atomic write leaves no temporary file when renaming fails", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "taken", "inside"), { recursive: true });
    await expect(writeAtomic(join(folder, "taken"), "new")).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["taken"]);
  });

  it.skipIf(process.platform === "win32").each(["now", "later"] as const)(
    "an atomic write replaces neither a named pipe nor a link, synced %s",
    async (sync) => {
      const folder = temporaryFolder();
      const [pipe, link] = [join(folder, "pipe"), join(folder, "link")];
      execFileSync("mkfifo", [pipe]);
      symlinkSync("pipe", link);
      for (const path of [pipe, link]) {
        await expect(writeAtomic(path, "new", sync)).rejects.toMatchObject({
          ...{ code: "cannot_write", where: path },
        });
      }
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readdirSync(folder)).toEqual(["link", "pipe"]);
    },
  );

  it("an atomic write does not interfere with another writer of the same file", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file");
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(10_000));
    await Promise.all(texts.map((text) => writeAtomic(path, text)));
    expect(texts).toContain(readFileSync(path, "utf8"));
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

it("a written JSON document ends in a newline", async () => {
  const path = join(temporaryFolder(), "file.json");
  await writeJson(path, { a: [1] });
  const text = readFileSync(path, "utf8");
  expect(JSON.parse(text)).toEqual({ a: [1] });
  expect(text.endsWith("}\n")).toBe(true);
});
