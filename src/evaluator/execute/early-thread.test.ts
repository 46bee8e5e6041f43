import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { tempDir } from "../../../test/support/tiny-world.js";
import { EarlyThread } from "./early-thread.js";

function programOf(text: string): URL {
  const file = join(tempDir(), "program.mjs");
  writeFileSync(file, text);
  return pathToFileURL(file);
}

it("a thread that was started early answers the first message to it", async () => {
  const echo = `import { parentPort } from "node:worker_threads";
    parentPort.on("message", (message) => parentPort.postMessage(message));`;
  const worker = EarlyThread.start({ workers: 2 }, programOf(echo))?.take();
  onTestFinished(async () => void (await worker?.terminate()));
  const answer = new Promise((resolve) => worker?.on("message", resolve));
  worker?.postMessage("setup");
  expect(await answer).toBe("setup");
});

it.each([
  ["one worker is requested", { workers: 1 }],
  ["there are too few episodes for two workers", { limit: 15 }],
  ["the policy is remote", { agent: "vln=ws://gpu1:8000" }],
  ["policies connect to the evaluator", { agent: "listen:8000" }],
])("no early thread is started if %s", (_, expected) => {
  expect(EarlyThread.start(expected, programOf(""))).toBeUndefined();
});

it("no early thread is started if the entry module is missing", () => {
  const missing = pathToFileURL(join(tempDir(), "missing.mjs"));
  expect(EarlyThread.start({ workers: 2 }, missing)).toBeUndefined();
});

it("EarlyThread.take returns undefined if the thread has ended", async () => {
  const early = EarlyThread.start({ workers: 2 }, programOf("throw new Error('no')"));
  while (early?.isAlive) await new Promise((resolve) => setImmediate(resolve));
  expect(early?.take()).toBeUndefined();
});
