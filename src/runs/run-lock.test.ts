import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
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

/** The number of a process that was and is no more. */
async function gone(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("a run's lock", () => {
  it("says who holds it, and is gone when it is released", async () => {
    const { folder, lock } = folderWith();
    const held = await RunLock.take(folder);
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    });
    await held.release();
    expect(existsSync(lock)).toBe(false);
  });

  it("is held by one only", async () => {
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

  it("is not taken from another by being released twice", async () => {
    const { folder, lock } = folderWith();
    const first = await RunLock.take(folder);
    await first.release();
    const second = await RunLock.take(folder);
    await first.release();
    expect(existsSync(lock)).toBe(true);
    await second.release();
  });

  it("counts for nothing when its process is gone", async () => {
    const { folder } = folderWith({ pid: await gone(), host: hostname(), started: "1" });
    await (await RunLock.take(folder)).release();
  });

  it.runIf(linux)("counts for nothing when its number is another process's by now", async () => {
    const { folder } = folderWith({ pid: process.pid, host: hostname(), started: "1" });
    await (await RunLock.take(folder)).release();
  });

  it("counts where it is not known when its process began", async () => {
    const { folder } = folderWith({ pid: process.pid, host: hostname(), started: null });
    await expect(RunLock.take(folder)).rejects.toMatchObject({ code: "run_in_use" });
  });

  it("of another machine counts, and may be deleted by whoever knows better", async () => {
    const { folder } = folderWith({ pid: await gone(), host: "elsewhere", started: null });
    await expect(RunLock.take(folder)).rejects.toMatchObject({
      code: "run_in_use",
      message: expect.stringContaining("on elsewhere"),
      hint: expect.stringContaining("delete the lock file"),
    });
  });

  it.each(["", '{"pid": 12', "[]", "null", '{"pid": "12", "host": "here"}'])(
    "that a power cut left damaged counts for nothing: %j",
    async (text) => {
      const { folder } = folderWith(text);
      await (await RunLock.take(folder)).release();
    },
  );

  it.each([
    ["where there was none", undefined],
    ["where the last one is stale", { pid: 999_999_999, host: hostname(), started: "1" }],
    ["where the last one is damaged", ""],
  ])("goes to one of many that want it at the same time, %s", async (_, left) => {
    const { folder } = folderWith(left);
    const takes = await Promise.allSettled(Array.from({ length: 8 }, () => RunLock.take(folder)));
    const taken = takes.flatMap((take) => (take.status === "fulfilled" ? [take.value] : []));
    expect(taken).toHaveLength(1);
    for (const take of takes) {
      if (take.status === "rejected") expect(take.reason).toMatchObject({ code: "run_in_use" });
    }
  });

  it("cannot be had where nothing can be written, and says where", async () => {
    const folder = join(temporaryFolder(), "none");
    await expect(RunLock.take(folder)).rejects.toMatchObject({
      code: "cannot_write",
      where: join(folder, "run.lock"),
    });
  });
});
