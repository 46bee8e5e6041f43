import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ProcessLog } from "./log.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-log-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const folder = () => join(root, String(count++), "logs");
const files = (where: string) =>
  Object.fromEntries(
    readdirSync(where).map((name) => [name, readFileSync(join(where, name), "utf8")]),
  );

describe("a simulator's log", () => {
  it("a simulator log is complete in the run folder, even if it began before the run", async () => {
    const run = folder();
    let begin: (folder: string) => void = () => {};
    const ofRun = new Promise<string>((resolve) => {
      begin = resolve;
    });
    const log = new ProcessLog("lift/a b", { ofRun });
    log.add("one");
    const before = /its log: (.*)/.exec(log.lastOutput)?.[1] ?? "";
    expect(before.startsWith(tmpdir())).toBe(true);
    begin(run);
    log.add("two");
    await ofRun;
    log.add("three");
    expect(log.lastOutput).toBe(
      "\n  it wrote:\n    one\n    two\n    three\n  its log: logs/simulator-lift-a-b-1.log of the run",
    );
    await log.close(false);
    expect(files(run)).toEqual({ "simulator-lift-a-b-1.log": "one\ntwo\nthree\n" });
    expect(() => readFileSync(before)).toThrow("ENOENT");
  });

  it("a simulator log is kept without a run only after a failure", async () => {
    for (const keep of [true, false]) {
      const log = new ProcessLog("lift", {});
      log.add("one");
      await log.close(keep);
      const path = /its log: (.*)/.exec(log.lastOutput)?.[1] ?? "";
      if (keep) expect(readFileSync(path, "utf8")).toBe("one\n");
      else expect(() => readFileSync(path)).toThrow("ENOENT");
      rmSync(path, { force: true });
    }
  });

  it("a simulator log is written to the configured folder, next to other logs", async () => {
    const named = folder();
    const ofRun = Promise.resolve(folder());
    const logs = [1, 2].map(() => new ProcessLog("lift", { named, ofRun }));
    for (const [i, log] of logs.entries()) log.add(String(i));
    await Promise.all(logs.map((log) => log.close(false)));
    expect(files(named)).toEqual({ "simulator-lift-1.log": "0\n", "simulator-lift-2.log": "1\n" });
  });

  it("a simulator log is bounded in size and keeps its beginning and its end", async () => {
    const named = folder();
    const log = new ProcessLog("lift", { named });
    for (let i = 0; i < 60; i++) log.add(`${i} ${"x".repeat(100_000)}`);
    await log.close(false);
    const [text = ""] = Object.values(files(named));
    expect(text.length).toBeLessThanOrEqual(2 * 2 ** 20);
    expect(text).toMatch(/^0 x/);
    expect(text).toContain("\n59 x");
    expect(log.lastOutput.split("\n")).toHaveLength(15);
  });

  it("a simulator log is removed between the first and the last few if processes keep failing, with a note", async () => {
    const named = folder();
    const beside = new ProcessLog("lift", { named });
    beside.add("still running");
    for (let i = 2; i <= 31; i++) {
      const log = new ProcessLog("lift", { named });
      log.add(`process ${i}`);
      await log.close(true);
    }
    const of = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => `simulator-lift-${from + i}.log`);
    const found = files(named);
    expect(Object.keys(found).sort()).toEqual([...of(1, 6), ...of(17, 31)].sort());
    expect(found["simulator-lift-6.log"]).toBe("process 6\n");
    expect(found["simulator-lift-31.log"]).toBe(
      "process 31\n(10 logs before this one were removed: too many)\n",
    );
    beside.add("to the end");
    await beside.close(true);
    expect(files(named)["simulator-lift-1.log"]).toMatch(/^still running\nto the end\n/);
  });

  it("a simulator log has no effect on the simulator if it cannot be written", async () => {
    const named = folder();
    mkdirSync(join(named, ".."), { recursive: true });
    writeFileSync(named, "a file, not a folder");
    const log = new ProcessLog("lift", { named });
    log.add("one");
    expect(log.lastOutput).toBe("\n  it wrote:\n    one");
    await log.close(true);
  });

  it("a simulator log requests a pause while too many lines are unwritten and ends it when all are written", async () => {
    const log = new ProcessLog("lift", { named: folder() });
    const line = "x".repeat(2 ** 20);
    const first = [log.add(line), log.add(line)];
    const pause = log.add(line);
    expect(first[0]).toBeUndefined();
    expect(pause).toBeInstanceOf(Promise);
    await pause;
    expect(log.add("short")).toBeUndefined();
    await log.close(false);
  });
});
