import { behavior } from "../../api/dialects/behavior.js";
import type { Dialect } from "../../api/dialects/dialect.js";
import { openpi } from "../../api/dialects/openpi.js";
import { roboarena } from "../../api/dialects/roboarena.js";
import { vlaEval } from "../../api/dialects/vla-eval.js";
import { policySchema } from "../../config/policy.js";
import { ConfigError } from "../../core/errors.js";
import type { AgentFactory } from "../../core/interfaces/agent.js";
import { policyToken } from "../policy-token.js";
import { DialectAgent } from "./agent.js";

const DIALECTS: readonly Dialect[] = [openpi, behavior, roboarena, vlaEval];

/** By the scheme of the policy's address: `openpi+ws`, `openpi+wss`, ... */
export const dialectAgentFactories: readonly (readonly [scheme: string, AgentFactory])[] =
  DIALECTS.flatMap((dialect) =>
    (["ws", "wss"] as const).map((transport) => {
      const scheme = `${dialect.name}+${transport}`;
      return [scheme, factoryFor(dialect, scheme, transport)] as const;
    }),
  );

function factoryFor(dialect: Dialect, scheme: string, transport: "ws" | "wss"): AgentFactory {
  const tls = transport === "wss" ? ", over TLS" : "";
  return {
    description: `${dialect.description}${tls}`,
    argument: "//<host>:<port>",
    threads: "asked",
    create({ argument = "", policy, task }) {
      const prefix = `${scheme}://`;
      if (!argument.startsWith(prefix) || argument.length === prefix.length) {
        throw new ConfigError("bad_agent", `"${argument}" is not the address of a policy`, {
          hint: `write ${prefix}host:port`,
        });
      }
      const url = `${transport}://${argument.slice(prefix.length)}`;
      const settings = policySchema.parse(policy ?? {});
      return DialectAgent.connect({ dialect, url, settings, task, token: policyToken() });
    },
  };
}
