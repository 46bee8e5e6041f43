import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** `$XDG_CACHE_HOME/robot-eval/<name>`; `XDG_CACHE_HOME` defaults to `~/.cache`. */
export function cacheFolder(name: string): string {
  const { XDG_CACHE_HOME: named } = process.env;
  const cache = named && isAbsolute(named) ? named : join(homedir(), ".cache");
  return join(cache, "robot-eval", name);
}

/** Whether only this account can write into a folder. Windows has no such bits; its home folders are private. */
export function isPrivate(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  const own = process.getuid?.();
  return own === undefined || (uid === own && (mode & 0o022) === 0);
}
