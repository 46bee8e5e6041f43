import { DialledPolicy } from "../../api/session/dialled.js";
import { type ListenAddress, ListeningForPolicies } from "../../api/session/listening.js";
import type { PolicySource, SourceHooks, SourceOptions } from "../../api/session/source.js";
import { ConfigError } from "../../core/errors.js";

export type SourceMaker = (hooks: SourceHooks) => PolicySource | Promise<PolicySource>;
type Terms = Omit<SourceOptions, "hooks">;

/** Sources for `ws://a|ws://b`, one per replica. */
export function dialledSources(argument: string, terms: Terms): SourceMaker[] {
  return argument.split("|").map((url) => {
    if (!/^wss?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
      throw new ConfigError("bad_agent", `"${url}" is not a policy address`, {
        hint: "write ws://host:port, or several as ws://a:8000|ws://b:8000",
      });
    }
    return (hooks) => new DialledPolicy(url, { ...terms, hooks });
  });
}

/** Source for `8000` or `0.0.0.0:8000`. */
export function listeningSource(argument: string, terms: Terms): SourceMaker[] {
  const address = readAddress(argument);
  return [(hooks) => ListeningForPolicies.open(address, { ...terms, hooks })];
}

function readAddress(argument: string): ListenAddress {
  const [, host, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(argument) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new ConfigError("bad_agent", `listen:${argument}: "${argument}" is not an address`, {
      hint: "write listen:8000 for this machine only, or listen:0.0.0.0:8000 to accept others",
    });
  }
  // IPv6 addresses are written in brackets before a port.
  return { port, ...(host === undefined ? {} : { host: host.replace(/^\[(.*)\]$/, "$1") }) };
}
