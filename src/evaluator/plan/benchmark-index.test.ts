import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../config/package-root.js";
import { benchmarkIndexText } from "./benchmark-index.js";

it("configs/benchmarks.json agrees with the shipped benchmarks and their data", async () => {
  const written = readFileSync(join(PACKAGE_ROOT, "configs/benchmarks.json"), "utf8");
  expect(written, "run `npm run schema`").toBe(await benchmarkIndexText());
});
