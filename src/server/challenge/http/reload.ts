import type { Server } from "node:http";
import { Server as TlsServer } from "node:https";
import { type LoadedChallenge, loadChallenge } from "../load.js";
import { readTls, type TlsFiles } from "./tls-files.js";

/**
 * Reads anew what may change while a server runs: when phases open and close, and the certificate. Whatever else
 * changed in the file waits for the next start, and a file that is wrong changes nothing.
 *
 * @throws ConfigError that says what is wrong with the file or the certificate
 */
export async function reload(
  server: Server,
  loaded: LoadedChallenge,
  files: TlsFiles | undefined,
): Promise<void> {
  const fresh = loadChallenge(loaded.file);
  const tls = files && (await readTls(files));
  for (const { config } of loaded.phases) {
    const told = fresh.phase(config.name)?.config;
    // All who ask for a phase hold this very object.
    if (told) Object.assign(config, { opens: told.opens, closes: told.closes });
  }
  if (tls && server instanceof TlsServer) server.setSecureContext(tls.context);
}
