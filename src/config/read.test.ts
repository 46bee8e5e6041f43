import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigError } from "../core/errors.js";
import { loadConfig } from "./load.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-read-"));
writeFileSync(join(root, "kitchen.yaml"), "benchmark: {}\n");
writeFileSync(join(root, "data.json.gz"), gzipSync("[]"));
writeFileSync(join(root, "utf16.yaml"), Buffer.from("\uFEFFbenchmark: {}", "utf16le"));
writeFileSync(join(root, "large.json"), Buffer.alloc(5 * 1024 * 1024, 0x20));
mkdirSync(join(root, "empty"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function failure(name: string): ConfigError {
  try {
    loadConfig(join(root, name));
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("unreadable benchmark file", () => {
  it.each([
    ["kitchn.yaml", "config_not_found", "no such benchmark file", "did you mean"],
    ["empty/x.yaml", "config_not_found", "no such benchmark file", "no YAML file in"],
    ["nowhere/x.yaml", "config_not_found", "no such benchmark file", "does not exist either"],
    [".", "not_a_config", "a folder", "kitchen.yaml"],
    ["data.json.gz", "not_a_config", "UTF-8", "dataset.<x>.data_path"],
    ["utf16.yaml", "not_a_config", "UTF-8", "save the YAML as UTF-8"],
    ["large.json", "not_a_config", "over 4 MiB", "dataset.<x>.data_path"],
  ])("%s is rejected with a hint", (name, code, message, hint) => {
    const error = failure(name);
    expect(error).toMatchObject({ code, where: join(root, name), exitCode: 2 });
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });
});
