import { access } from "node:fs/promises";
import { viewApp } from "./app.js";
import { checkToken } from "./auth.js";
import { closeServer, serveApp } from "./listen.js";
import { LiveRuns } from "./live.js";
import { RunLibrary } from "./view/library.js";
import type { ViewOptions } from "./view/view-permissions.js";

export interface ViewServerOptions extends ViewOptions {
  /** A folder of runs, or one run. */
  readonly runs: string;
  /** Folder of the built page. */
  readonly webRoot: string;
  /** Default 127.0.0.1. Other than loopback, a token is required. */
  readonly host?: string | undefined;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly token?: string | undefined;
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export interface ViewServer {
  /** Without the token. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the dashboard of a folder of runs. */
export async function createViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const { host = "127.0.0.1", token, webRoot, onFault } = options;
  checkToken(host, token);
  const { plugins, scenes, connectivity } = options;
  const library = await RunLibrary.open(options.runs, { plugins, scenes, connectivity });
  const live = new LiveRuns(library);
  const ready = () =>
    access(options.runs).then(
      () => undefined,
      () => "the folder of runs cannot be read",
    );
  const app = viewApp({ library, live, webRoot, host, token, ready, onFault });
  try {
    const { server, port, url } = await serveApp(app, host, options.port);
    return {
      port,
      url: `${url}/`,
      async close() {
        live.close();
        await closeServer(server);
        await library.close();
      },
    };
  } catch (error) {
    await library.close();
    throw error;
  }
}
