import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { afterEachFile } from "../../test/support/clean-up.js";
import { createViewServer, type ViewServer, type ViewServerOptions } from "./serve.js";
import type { Problem } from "./view/documents.js";

/** A page of two files, for all test files that share this module. */
export const page = mkdtempSync(join(tmpdir(), "robot-eval-page-"));
process.once("exit", () => rmSync(page, { recursive: true, force: true }));
mkdirSync(join(page, "assets"));
writeFileSync(join(page, "index.html"), "<!doctype html><title>page</title>");
writeFileSync(join(page, "assets/main-1.js"), `export const text = "${"x".repeat(3000)}";`);

const servers: ViewServer[] = [];
afterEachFile(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** Serves the runs until the tests of the file are done. Returns the URL without a trailing slash. */
export async function serve(runs: string, more: Partial<ViewServerOptions> = {}): Promise<string> {
  const server = await createViewServer({ runs, webRoot: page, port: 0, ...more });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

export async function documentAt<T>(address: string): Promise<T> {
  const response = await fetch(address);
  expect(response.status, address).toBe(200);
  return (await response.json()) as T;
}

export async function problemAt(
  address: string,
  init: RequestInit = {},
): Promise<Problem & { readonly status: number }> {
  const response = await fetch(address, init);
  return { status: response.status, ...((await response.json()) as Problem) };
}
