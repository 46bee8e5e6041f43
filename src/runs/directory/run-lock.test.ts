import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { RunLock } from "./run-lock.js";

const linux = process.platform === "linux";

function folderWith(content?: string | object): { folder: string; lock: string } {
  const folder = temporaryFolder();
  const lock = join(folder, "run.lock");
  if (content !== undefined) {
    writeFileSync(lock, typeof content === "string" ? content : JSON.stringify(content));
  }
  return { folder, lock };
}

/** The pid of a process that has ended. */
async function gone(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the run lock", () => {
  it("the lock names its holder and is deleted on release", async () => {
    const { folder, lock } = folderWith();
    const held = await RunLock.take(folder);
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    });
    await held.release();
    expect(existsSync(lock)).toBe(false);
  });

  it("the lock has only one holder", async () => {
    const { folder, lock } = folderWith();
    const held = await RunLock.take(folder);
    await expect(RunLock.take(folder)).rejects.toMatchObject({
      code: "run_in_use",
      message: `process ${process.pid} is writing this run`,
      where: lock,
      exitCode: 2,
    });
    await held.release();
    await (await RunLock.take(folder)).release();
  });

  it("the lock stays with its new holder when the old one releases it twice", async () => {
    const { folder, lock } = folderWith();
    const first = await RunLock.take(folder);
    await first.release();
    const second = await RunLock.take(folder);
    await first.release();
    expect(existsSync(lock)).toBe(true);
    await second.release();
  });

  it("the run lock ignores a lock whose process has ended", async () => {
    const { folder } = folderWith({ pid: await gone(), host: hostname(), started: "1" });
    await (await RunLock.take(folder)).release();
  });

  it.runIf(linux)(
    "the run lock ignores a lock whose pid belongs to another process now",
    async () => {
      const { folder } = folderWith({ pid: process.pid, host: hostname(), started: "1" });
      await (await RunLock.take(folder)).release();
    },
  );

  it("the run lock respects a lock when the start time of its process is unknown", async () => {
    const { folder } = folderWith({ pid: process.pid, host: hostname(), started: null });
    await expect(RunLock.take(folder)).rejects.toMatchObject({ code: "run_in_use" });
  });

  it("the run lock respects a lock from another machine, with a hint to delete it", async () => {
    const { folder } = folderWith({ pid: await gone(), host: "elsewhere", started: null });
    await expect(RunLock.take(folder)).rejects.toMatchObject({
      code: "run_in_use",
      message: expect.stringContaining("on elsewhere"),
      hint: expect.stringContaining("delete the lock file"),
    });
  });

  it.each(["", '{"pid": 12', "[]", "null", '{"pid": "12", "host": "here"}'])(
    "the run lock ignores a lock that a power cut left damaged: %j",
    async (text) => {
      const { folder } = folderWith(text);
      await (await RunLock.take(folder)).release();
    },
  );

  it.each([
    ["where there was none", undefined],
    ["where the last one is stale", { pid: 999_999_999, host: hostname(), started: "1" }],
    ["where the last one is damaged", ""],
  ])("exactly one of many concurrent requests gets the lock, %s", async (_, left) => {
    const { folder } = folderWith(left);
    const takes = await Promise.allSettled(Array.from({ length: 8 }, () => RunLock.take(folder)));
    const taken = takes.flatMap((take) => (take.status === "fulfilled" ? [take.value] : []));
    expect(taken).toHaveLength(1);
    for (const take of takes) {
      if (take.status === "rejected") expect(take.reason).toMatchObject({ code: "run_in_use" });
    }
  });

  it("the run lock reports the path where a lock cannot be written", async () => {
    const folder = join(temporaryFolder(), "none");
    await expect(RunLock.take(folder)).rejects.toMatchObject({
      code: "cannot_write",
      where: join(folder, "run.lock"),
    });
  });
});
