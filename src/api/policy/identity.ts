import { ConfigError, show } from "../../core/errors.js";
import { cleanIdentity, type PolicyIdentity } from "../../core/policy-identity.js";
import type { Declaration } from "./declare.js";

/** How a policy names itself; recorded with every run and shown with its results. */
export interface IdentityOptions {
  /** The policy's class if absent. */
  readonly name?: string;
  readonly version?: string;
  /** Which weights it runs, so that the results of two checkpoints can be told apart. */
  readonly checkpoint?: string;
}

/** Undefined for a plain object without a name. @throws if a text is empty or too long to be recorded unchanged */
export function identityOf(
  { className }: Declaration,
  options: IdentityOptions & { readonly metadata?: Readonly<Record<string, unknown>> | undefined },
): PolicyIdentity | undefined {
  const { version, checkpoint, metadata } = options;
  const given = version !== undefined || checkpoint !== undefined || metadata !== undefined;
  const name = options.name ?? className ?? (given ? "policy" : undefined);
  if (name === undefined) return undefined;
  const identity = {
    name: text("name", name),
    ...(version === undefined ? {} : { version: text("version", version) }),
    ...(checkpoint === undefined ? {} : { checkpoint: text("checkpoint", checkpoint) }),
    ...(metadata === undefined ? {} : { metadata: checkMetadata(metadata) }),
  };
  const cleaned = cleanIdentity(identity);
  for (const key of ["name", "version", "checkpoint"] as const) {
    if (cleaned[key] === identity[key]) continue;
    throw bad(key, identity[key], "it is too long or has control characters");
  }
  return cleaned;
}

function text(key: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw bad(key, value, "it must be a text");
}

/** Only facts that fit into a table: numbers, texts and truth values. */
function checkMetadata(metadata: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(metadata).map(([key, value]) => {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw bad(`metadata.${key}`, value, "it must be a text, a number, true or false");
    }
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

function bad(key: string, value: unknown, why: string): ConfigError {
  return new ConfigError("bad_policy", `${key} is ${show(value)}: ${why}`, {
    hint: 'name the policy so: serve(policy, { name: "openvla", version: "7b", checkpoint: "step-2000" })',
  });
}
