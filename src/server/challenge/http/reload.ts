import type { Server } from "node:http";
import { Server as TlsServer } from "node:https";
import { type LoadedChallenge, loadChallenge } from "../load.js";
import { readTls, type TlsFiles } from "./tls-files.js";

/**
 * Reloads what may change while a server runs: the phases' opening and closing times, and the certificate. Other
 * changes need a restart.
 *
 * @throws ConfigError if the file or the certificate is invalid; nothing changes then
 */
export async function reload(
  server: Server,
  loaded: LoadedChallenge,
  files: TlsFiles | undefined,
): Promise<void> {
  const fresh = loadChallenge(loaded.file);
  const tls = files && (await readTls(files));
  for (const { config } of loaded.phases) {
    const next = fresh.phase(config.name)?.config;
    // Mutated in place, because other modules keep references to it.
    if (next) Object.assign(config, { opens: next.opens, closes: next.closes });
  }
  if (tls && server instanceof TlsServer) server.setSecureContext(tls.context);
}
