import { rename } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { checkReplaceable } from "../config/output-path.js";
import { errorCode } from "../core/errors.js";

/** Windows returns these while another process (a reader, an indexer, a virus scanner) has the file open. */
const BUSY: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Doubled after each attempt, about two seconds in total. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;

/** Replaced in tests to simulate Windows on other systems. */
interface System {
  readonly platform: NodeJS.Platform;
  rename(from: string, to: string): Promise<void>;
}

/**
 * Renames a file, replacing an existing regular file. Windows rejects this while either file is open, so
 * there it retries for two seconds.
 */
export async function renameOver(
  from: string,
  to: string,
  system: System = { platform: process.platform, rename },
): Promise<void> {
  checkReplaceable(to, "file");
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await system.rename(from, to);
    } catch (error) {
      const isBusy = system.platform === "win32" && BUSY.has(errorCode(error));
      if (!isBusy || pauseMs > LONGEST_PAUSE_MS) throw error;
      await pause(pauseMs);
    }
  }
}
