import { z } from "zod";
import { ConfigError, show } from "../../core/errors.js";
import { type Capabilities, capabilitiesSchema } from "../messages/base.js";
import type { Policy } from "./policy.js";

/** What a policy declares in the handshake, checked before listening or dialling. */
export interface Declaration {
  /** Undefined for a plain object. */
  readonly className: string | undefined;
  /** Name of the policy's class, for errors. */
  readonly name: string;
  readonly actionChunk: number;
  readonly capabilities: Capabilities;
}

const declared = capabilitiesSchema.pick({ sensors: true, action_chunk: true, conventions: true });

export function declarationOf(policy: Policy): Declaration {
  const className = classOf(policy);
  const name = className ?? "policy";
  if (typeof policy !== "object" || policy === null || !acts(policy)) {
    throw new ConfigError(
      "bad_policy",
      `${show(policy)} is not a policy: it has no method \`act\``,
      {
        hint: "pass an object with `act(observation)`, or a function or class that creates one",
      },
    );
  }
  const { sensors, actionChunk = 1, conventions } = policy;
  const read = declared.safeParse({ sensors, action_chunk: actionChunk, conventions });
  if (!read.success) {
    throw new ConfigError("bad_policy", `${name}: ${z.prettifyError(read.error)}`, {
      hint: "sensors must be a list of names, actionChunk a whole number from 1, conventions an object",
    });
  }
  return { name, className, actionChunk, capabilities: read.data };
}

function acts(policy: Partial<Policy>): boolean {
  return typeof policy.act === "function" || typeof policy.actBatch === "function";
}

function classOf(policy: unknown): string | undefined {
  const name = typeof policy === "object" && policy !== null ? policy.constructor?.name : "";
  return name && name !== "Object" ? name : undefined;
}
