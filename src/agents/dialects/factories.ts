import type { Dialect, DialectName } from "../../api/dialects/dialect.js";
import { policySchema } from "../../config/policy.js";
import { ConfigError } from "../../core/errors.js";
import type { Agent, AgentFactory, AgentOptions } from "../../core/interfaces/agent.js";
import { policyToken } from "../policy-token.js";

interface DialectEntry {
  readonly description: string;
  /** Loads the dialect on first use. */
  readonly load: () => Promise<Dialect>;
}

const DIALECTS: Readonly<Record<DialectName, DialectEntry>> = {
  openpi: {
    description: "a policy served by openpi (WebsocketPolicyServer)",
    load: async () => (await import("../../api/dialects/openpi.js")).openpi,
  },
  behavior: {
    description: "a policy served for BEHAVIOR-1K's evaluation",
    load: async () => (await import("../../api/dialects/behavior.js")).behavior,
  },
  roboarena: {
    description: "a policy served by RoboArena's policy server",
    load: async () => (await import("../../api/dialects/roboarena.js")).roboarena,
  },
  "vla-eval": {
    description: "a vla-eval model server (vla-evaluation-harness)",
    load: async () => (await import("../../api/dialects/vla-eval.js")).vlaEval,
  },
};

/** Agent factories by address scheme: `openpi+ws`, `openpi+wss`, ... */
export const dialectAgentFactories: readonly (readonly [scheme: string, AgentFactory])[] =
  Object.entries(DIALECTS).flatMap(([name, dialect]) =>
    (["ws", "wss"] as const).map((transport) => {
      const scheme = `${name}+${transport}`;
      return [scheme, factoryFor(dialect, scheme, transport)] as const;
    }),
  );

function factoryFor(dialect: DialectEntry, scheme: string, transport: "ws" | "wss"): AgentFactory {
  const tls = transport === "wss" ? ", over TLS" : "";
  return {
    description: `${dialect.description}${tls}`,
    argument: "//<host>:<port>",
    threads: "asked",
    create(options) {
      const { argument = "" } = options;
      const prefix = `${scheme}://`;
      if (!argument.startsWith(prefix) || argument.length === prefix.length) {
        throw new ConfigError("bad_agent", `"${argument}" is not a policy address`, {
          hint: `write ${prefix}host:port`,
        });
      }
      return connect(dialect, `${transport}://${argument.slice(prefix.length)}`, options);
    },
  };
}

async function connect(
  { load }: DialectEntry,
  url: string,
  { policy, task, connectWithinMs }: AgentOptions,
): Promise<Agent> {
  const settings = policySchema.parse(policy ?? {});
  const [dialect, { DialectAgent }] = await Promise.all([load(), import("./agent.js")]);
  const token = policyToken();
  return DialectAgent.connect({ dialect, url, settings, task, token, connectWithinMs });
}
