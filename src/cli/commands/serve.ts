import { Command } from "commander";
import { errorMessage, RobotEvalError } from "../../core/errors.js";
import { loadChallenge } from "../../server/challenge/load.js";
import { createChallengeServer } from "../../server/challenge/server.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly json?: boolean;
}

export function serveCommand(): Command {
  return new Command("serve")
    .description("host a challenge: teams' agents dial in and are evaluated on hidden episodes")
    .argument("<challenge>", "the challenge's file")
    .option("--host <name>", "where to listen; replaces listen.host of the file")
    .option("--port <n>", "0 takes one that is free; replaces listen.port", wholeNumber(0))
    .option("--json", "print the addresses as one JSON document")
    .addHelpText(
      "after",
      `
Serves until Ctrl-C. Submissions that are under way then count for nobody. On SIGHUP the phases' times and the
certificate are read again.

Examples:
  robot-eval serve configs/challenges/example.yaml
  robot-eval serve challenge.yaml --host 0.0.0.0 --port 443`,
    )
    .action(serve);
}

async function serve(file: string, flags: ServeFlags): Promise<void> {
  const loaded = loadChallenge(file);
  const { host = loaded.config.listen.host, port = loaded.config.listen.port } = flags;
  const server = await createChallengeServer({
    loaded: { ...loaded, config: { ...loaded.config, listen: { host, port } } },
    onFault: (error) => say(`fault: ${faultText(error)}`),
  });
  const { url, agentUrl } = server;
  if (flags.json) printJson({ url, agent_url: agentUrl, host, port: server.port });
  else printData(url);
  say(`${loaded.config.name}: pages at ${url}, agents dial ${agentUrl}; press Ctrl-C to stop`);
  process.on("SIGHUP", () => {
    server.reload().then(
      () => say("the phases' times and the certificate were read again"),
      (error: unknown) => say(`not read again: ${faultText(error)}`),
    );
  });
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  say("stopping");
  await server.close();
}

function faultText(error: unknown): string {
  if (error instanceof RobotEvalError || !(error instanceof Error)) return errorMessage(error);
  return error.stack ?? error.message;
}
