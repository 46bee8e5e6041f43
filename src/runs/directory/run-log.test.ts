import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { RunLog } from "./run-log.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("log.jsonl", () => {
  it("log.jsonl has one line with a time per entry, in the order of adding", async () => {
    const path = join(folder, "log.jsonl");
    const log = new RunLog(path);
    const time = new Date("2026-01-02T03:04:05Z");
    for (let i = 0; i < 50; i++) log.add({ level: "info", event: "tick", i }, time);
    await log.close();
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      Array.from({ length: 50 }, (_, i) => ({
        time: "2026-01-02T03:04:05.000Z",
        level: "info",
        event: "tick",
        i,
      })),
    );
  });

  it("a log that cannot be written does not fail the run", async () => {
    const log = new RunLog(join(folder, "no", "such", "folder", "log.jsonl"));
    log.add({ level: "error", event: "lost" });
    await expect(log.close()).resolves.toBeUndefined();
  });
});
