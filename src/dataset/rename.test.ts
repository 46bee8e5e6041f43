import { readFileSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { renameOver } from "./rename.js";

function failing(times: number, code: string) {
  let attempts = 0;
  return {
    attempts: () => attempts,
    rename: async (from: string, to: string) => {
      if (attempts++ < times) throw Object.assign(new Error(code), { code });
      await rename(from, to);
    },
  };
}

function files() {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, "new"), join(folder, "old")];
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  return { from, to };
}

describe("renameOver", () => {
  it("renameOver replaces an existing file", async () => {
    const { from, to } = files();
    await renameOver(from, to);
    expect(readFileSync(to, "utf8")).toBe("new");
  });

  it.each(["EPERM", "EACCES", "EBUSY"])("renameOver retries on Windows after %s", async (code) => {
    const { from, to } = files();
    await renameOver(from, to, { platform: "win32", ...failing(2, code) });
    expect(readFileSync(to, "utf8")).toBe("new");
  });

  it("renameOver gives up on Windows if the file stays open", async () => {
    const { from, to } = files();
    const system = failing(Number.POSITIVE_INFINITY, "EPERM");
    await expect(renameOver(from, to, { platform: "win32", ...system })).rejects.toThrow("EPERM");
    expect(system.attempts()).toBe(8);
    expect(readFileSync(to, "utf8")).toBe("old");
  });

  it.each([
    ["linux", "EPERM"],
    ["win32", "ENOSPC"],
  ] as const)("renameOver does not retry on %s after %s", async (platform, code) => {
    const { from, to } = files();
    const system = failing(1, code);
    await expect(renameOver(from, to, { platform, ...system })).rejects.toThrow(code);
    expect(system.attempts()).toBe(1);
  });
});
