import { spawn } from "node:child_process";
import { Command, Option } from "commander";
import { ConfigError } from "../../core/errors.js";
import type { ExportProgress } from "../../server/export.js";
import { createViewServer, type ViewServer } from "../../server/serve.js";
import { WEB_ROOT } from "../../server/web-root.js";
import { interruptible } from "../interrupt.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";

const DEFAULT_PORT = 4400;
/** Pictures that an export could not make and tells of. */
const SHOWN_SKIPPED = 5;

interface ViewFlags {
  readonly port: number;
  readonly host: string;
  readonly token?: string;
  readonly export?: string;
  readonly episodes?: "all" | "failures";
  readonly frames?: number;
  readonly plugins?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function viewCommand(): Command {
  return new Command("view")
    .description("look at runs in the browser: tables, 3D replays, comparisons; live ones too")
    .argument("[runs]", "folder of runs, or one run directory", "runs")
    .option("--port <n>", "0 takes one that is free", wholeNumber(0), DEFAULT_PORT)
    .option(
      "--host <name>",
      "where to listen; beyond this machine a token is required",
      "127.0.0.1",
    )
    .option("--token <secret>", "visitors must know it: at least 16 characters")
    .option("--open", "open the browser")
    .option("--export <folder>", "write the pages as files that any web server can host, and end")
    .addOption(
      new Option("--episodes <which>", "with --export: episodes that get a page").choices([
        "all",
        "failures",
      ]),
    )
    .option(
      "--frames <n>",
      "with --export: camera pictures an episode, 24 unless told, 0 for none",
      wholeNumber(0),
    )
    .option("--plugins", "load the plugins that runs name: their code runs on this machine")
    .option("--json", "print the address, or what was exported, as one JSON document")
    .addHelpText(
      "after",
      `
Serves until Ctrl-C.

Examples:
  robot-eval view runs
  robot-eval view runs/20260101T120000Z-vln-challenge-random --open
  robot-eval view runs --export public --episodes failures --frames 0`,
    )
    .action(view);
}

async function view(runs: string, flags: ViewFlags): Promise<void> {
  if (flags.export !== undefined) return exportPages(runs, flags.export, flags);
  for (const name of ["episodes", "frames"] as const) {
    if (flags[name] === undefined) continue;
    throw new ConfigError("unused_flag", `--${name} has no meaning without --export`, {
      where: `--${name}`,
    });
  }
  const { port, host, token, plugins } = flags;
  const server = await createViewServer({
    ...{ runs, webRoot: WEB_ROOT, port, host, token, plugins },
    onFault: (error) => say(`internal error: ${error instanceof Error ? error.stack : error}`),
  });
  const address =
    token === undefined ? server.url : `${server.url}?token=${encodeURIComponent(token)}`;
  if (flags.json) printJson({ url: address, host, port: server.port, runs });
  else printData(address);
  say(`showing ${runs} at ${server.url}; press Ctrl-C to stop`);
  if (flags.open) openBrowser(address);
  await untilInterrupted(server);
}

async function exportPages(runs: string, folder: string, flags: ViewFlags) {
  const { episodes = "all", frames, plugins, json } = flags;
  const { exportView } = await import("../../server/export.js");
  const interrupt = interruptible("stopping");
  try {
    const done = await exportView({
      ...{ runs, folder, webRoot: WEB_ROOT, episodes, frames, plugins },
      signal: interrupt.signal,
      onProgress: progressLines(),
    });
    if (json) printJson(done);
    else printData(done.folder);
    const { runs: shown, episodes: paged, files, skipped } = done;
    for (const { what, why } of skipped.slice(0, SHOWN_SKIPPED)) say(`note: ${what}: ${why}`);
    if (skipped.length > SHOWN_SKIPPED)
      say(`note: and ${skipped.length - SHOWN_SKIPPED} more (--json)`);
    say(`${shown.length} runs, ${paged} episodes, ${files} files written`);
    if (interrupt.signal.aborted) process.exitCode = 130;
  } finally {
    interrupt.release();
  }
}

const PROGRESS_EVERY_MS = 2000;

/** A line now and then, with a guess at what is left. */
function progressLines(): (progress: ExportProgress) => void {
  const began = performance.now();
  let told = began;
  return ({ done, of }) => {
    const now = performance.now();
    if (now - told < PROGRESS_EVERY_MS && done < of) return;
    told = now;
    const left = Math.round(((now - began) / done) * (of - done) * 1e-3);
    say(`episode ${done} of ${of}${done < of ? `, about ${left} s left` : ""}`);
  };
}

/** Ending it is the usual way to leave: no failure. */
async function untilInterrupted(server: ViewServer): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  await server.close();
}

/** Where there is no browser, the address that was printed will have to do. */
function openBrowser(address: string): void {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(command, [address], { stdio: "ignore", detached: true });
  child.on("error", () => say(`cannot open a browser (${command}): open the address yourself`));
  child.unref();
}
