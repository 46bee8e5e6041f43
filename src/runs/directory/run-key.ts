import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";

/**
 * Recognises runs that this account made. `run` stores an HMAC-SHA256 of all acting parts of run.json in
 * `config_mac`, with a secret key in the account's home. Without the key nobody can make a run that starts
 * programs or loads code here.
 */
type Marked = Pick<RunInfo, "agent" | "benchmark" | "config" | "config_mac">;

const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\n?$/;

/** `$XDG_STATE_HOME/robot-eval/run-key`; `XDG_STATE_HOME` defaults to `~/.local/state`. */
function keyFile(): string {
  const { XDG_STATE_HOME: named } = process.env;
  const state = named && isAbsolute(named) ? named : join(homedir(), ".local", "state");
  return join(state, "robot-eval", "run-key");
}

/** Adds the HMAC; without effect if no key can be stored, as in a container without a home. */
export function withConfigMac(info: RunInfo): RunInfo {
  const key = readKey() ?? makeKey();
  return key ? { ...info, config_mac: macOf(info, key) } : info;
}

/** Whether this account made the run with this configuration. */
export function isOwnRun(info: Marked): boolean {
  if (info.config_mac === undefined) return false;
  const key = readKey();
  if (!key) return false;
  const [found, right] = [Buffer.from(info.config_mac), Buffer.from(macOf(info, key))];
  return found.length === right.length && timingSafeEqual(found, right);
}

function macOf({ agent, benchmark, config }: Marked, key: Uint8Array): string {
  const { file = null } = benchmark;
  // Normalises through JSON and sorts keys: files and databases may reorder them.
  const text = JSON.stringify(sorted(JSON.parse(JSON.stringify({ agent, file, config }))));
  return createHmac("sha256", key).update(text).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, not an object: objects move integer-like keys to the front.
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}

function readKey(): Uint8Array | undefined {
  try {
    const text = readFileSync(keyFile(), "utf8");
    return KEY_TEXT.test(text) ? Buffer.from(text.trim(), "hex") : undefined;
  } catch {
    return undefined;
  }
}

/** Processes that create a key at the same time all use the first one. */
function makeKey(): Uint8Array | undefined {
  try {
    const file = keyFile();
    makeFolder(dirname(file), 0o700);
    const own = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
    writeFileSync(own, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    try {
      linkSync(own, file);
    } finally {
      rmSync(own, { force: true });
    }
  } catch {
    // Another process created it, or the folder is not writable.
  }
  return readKey();
}
