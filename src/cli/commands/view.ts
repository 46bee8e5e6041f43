import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Option } from "commander";
import type { ExportProgress } from "../../server/export.js";
import { createViewServer, type ViewServer } from "../../server/serve.js";
import type { ViewOptions } from "../../server/view/view-permissions.js";
import { CliCommand } from "../cli-command.js";
import { endWithin, untilStopped, withInterrupt } from "../interrupt.js";
import { rejectUnused, wholeNumber } from "../options.js";
import { printResult, say, sayNotes } from "../output.js";
import { permissionOptions } from "../permission-options.js";

/** Folder of the built page, in the build. */
const WEB_ROOT = fileURLToPath(new URL("../../web", import.meta.url));

const DEFAULT_PORT = 4400;
const CLOSING_MS = 3000;
/** Maximum number of images that are listed as failed. */
const SHOWN_SKIPPED = 5;

interface ViewFlags {
  readonly port: number;
  readonly host: string;
  readonly token?: string;
  readonly export?: string;
  readonly episodes?: "all" | "failures";
  readonly frames?: number;
  readonly plugins?: boolean;
  readonly plugin?: readonly string[];
  readonly scenes?: string;
  readonly connectivity?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function viewCommand(): CliCommand {
  return new CliCommand("view")
    .argument("[runs]", "folder of runs, or one run directory", "runs")
    .option("--port <n>", "port, 0 for any free one", wholeNumber(0), DEFAULT_PORT)
    .option(
      "--host <name>",
      "address to listen on; a token is required beyond this machine",
      "127.0.0.1",
    )
    .option("--token <secret>", "token that visitors must send, at least 16 characters")
    .option("--open", "open the browser")
    .output(
      "--export <folder>",
      "write the pages as static files for any web server, and exit",
      "parent",
    )
    .addOption(
      new Option("--episodes <which>", "with --export: episodes that get a page").choices([
        "all",
        "failures",
      ]),
    )
    .option(
      "--frames <n>",
      "with --export: camera images per episode (default 24, 0 for none)",
      wholeNumber(0),
    )
    .option("--plugins", "load the plugins that your own runs name")
    .option("--json", "print the address, or what was exported, as one JSON document")
    .with(permissionOptions("plugin", "scenes", "connectivity"))
    .remarks(`
Serves until Ctrl-C.

Examples:
  robot-eval view runs
  robot-eval view runs/20260101T120000Z-vln-challenge-random --open
  robot-eval view runs --export public --episodes failures --frames 0`)
    .action(view);
}

async function view(runs: string, flags: ViewFlags): Promise<void> {
  if (flags.export !== undefined) return exportPages(runs, flags.export, flags);
  rejectUnused(flags, ["episodes", "frames"], "without --export");
  const { port, host, token } = flags;
  const server = await createViewServer({
    ...{ runs, webRoot: WEB_ROOT, port, host, token, ...permissionsOf(flags) },
    onFault: (error) => say(`internal error: ${error instanceof Error ? error.stack : error}`),
  });
  const address =
    token === undefined ? server.url : `${server.url}?token=${encodeURIComponent(token)}`;
  printResult(flags.json, { url: address, host, port: server.port, runs }, ({ url }) => url);
  say(`showing ${runs} at ${server.url}; press Ctrl-C to stop`);
  if (flags.open) openBrowser(address);
  await untilInterrupted(server);
}

function permissionsOf({ plugin, plugins, scenes, connectivity }: ViewFlags): ViewOptions {
  return { plugins: plugin ?? plugins, scenes, connectivity };
}

async function exportPages(runs: string, folder: string, flags: ViewFlags) {
  const { episodes = "all", frames, json } = flags;
  const { exportView } = await import("../../server/export.js");
  await withInterrupt("stopping", async (signal) => {
    const done = await exportView({
      ...{ runs, folder, webRoot: WEB_ROOT, episodes, frames, ...permissionsOf(flags), signal },
      onProgress: progressLines(),
    });
    printResult(json, done, () => done.folder);
    const { runs: shown, episodes: paged, files, skipped } = done;
    const notes = skipped.map(({ what, why }) => `${what}: ${why}`);
    sayNotes(notes, SHOWN_SKIPPED);
    say(`${shown.length} runs, ${paged} episodes, ${files} files written`);
    if (signal.aborted) process.exitCode = 130;
  });
}

const PROGRESS_EVERY_MS = 2000;

/** Prints a line now and then, with an estimate of the remaining time. */
function progressLines(): (progress: ExportProgress) => void {
  const began = performance.now();
  let printedAt = began;
  return ({ done, of }) => {
    const now = performance.now();
    if (now - printedAt < PROGRESS_EVERY_MS && done < of) return;
    printedAt = now;
    const left = Math.round(((now - began) / done) * (of - done) * 1e-3);
    say(`episode ${done} of ${of}${done < of ? `, about ${left} s left` : ""}`);
  };
}

/** Ctrl-C is the usual way to stop the server, so it is not a failure. */
async function untilInterrupted(server: ViewServer): Promise<void> {
  await untilStopped();
  endWithin(CLOSING_MS);
  await server.close();
  // Do not wait for pending reads.
  process.exit(0);
}

/** Without a browser, the user can open the printed address. */
function openBrowser(address: string): void {
  const [command, ...args] = browserCommand(process.platform);
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => say(`cannot open a browser (${command}): open the address yourself`));
  child.unref();
}

/** Avoids a shell, which would end an address at `&`. */
function browserCommand(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return [platform === "darwin" ? "open" : "xdg-open"];
}
