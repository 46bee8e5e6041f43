import { errorMessage, RobotEvalError } from "../../../core/errors.js";
import { loadChallenge } from "../../../server/challenge/load.js";
import { createChallengeServer } from "../../../server/challenge/server.js";
import { CliCommand } from "../../cli-command.js";
import { STOPPING, untilStopped } from "../../interrupt.js";
import { wholeNumber } from "../../options.js";
import { printResult, say } from "../../output.js";

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly json?: boolean;
}

export function serveCommand(): CliCommand {
  return new CliCommand("serve")
    .argument("<challenge>", "the challenge's file")
    .option("--host <name>", "address to listen on; replaces listen.host of the file")
    .option("--port <n>", "port, 0 for any free one; replaces listen.port", wholeNumber(0))
    .option("--json", "print the addresses as one JSON document")
    .remarks(`
Serves until Ctrl-C; submissions that are running then end and do not count as attempts. SIGHUP reloads the phases'
times and the certificate. An embedded PostgreSQL that crashes is restarted at most three times in ten minutes; after
that the server exits with code 1.

Examples:
  robot-eval serve challenge.yaml
  robot-eval serve challenge.yaml --host 0.0.0.0 --port 443

A file to start from: configs/challenges/example.yaml in the package.`)
    .action(serve);
}

async function serve(file: string, flags: ServeFlags): Promise<void> {
  const loaded = loadChallenge(file);
  for (const note of loaded.notes) say(`note: ${note}`);
  const { host = loaded.config.listen.host, port = loaded.config.listen.port } = flags;
  const server = await createChallengeServer({
    loaded: { ...loaded, config: { ...loaded.config, listen: { host, port } } },
    onFault: (error) => say(`fault: ${faultText(error)}`),
    onNotice: (text) => say(text),
  });
  const { url, agentUrl } = server;
  const document = { url, agent_url: agentUrl, host, port: server.port };
  printResult(flags.json, document, () => url);
  say(
    `${loaded.config.name}: pages at ${url}, agents connect to ${agentUrl}; press Ctrl-C to stop`,
  );
  const reload = () => {
    server.reload().then(
      () => say("reloaded the phases' times and the certificate"),
      (error: unknown) => say(`reload failed: ${faultText(error)}`),
    );
  };
  // On Windows, SIGHUP means that the console window was closed.
  if (!STOPPING.includes("SIGHUP")) process.on("SIGHUP", reload);
  const stopped = untilStopped().then(() => undefined);
  const failure = await Promise.race([stopped, server.failed]);
  say(failure ? `stopping: ${failure.message}` : "stopping");
  await server.close();
  if (failure) throw failure;
}

function faultText(error: unknown): string {
  if (error instanceof RobotEvalError || !(error instanceof Error)) return errorMessage(error);
  return error.stack ?? error.message;
}
