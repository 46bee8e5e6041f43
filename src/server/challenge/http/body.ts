import type { MiddlewareHandler } from "hono";
import { ChallengeError } from "../errors.js";
import type { ChallengeContext, Environment } from "./context.js";

/** Maximum size of a request's body; no request contains more than a token and a name. */
const MOST_BYTES = 16 * 1024;

/** Rejects requests by their Content-Length. Bodies without one are limited by `readBody`. */
export function limitBody(): MiddlewareHandler<Environment> {
  return async (c, next) => {
    if (Number(c.req.header("Content-Length") ?? 0) > MOST_BYTES) throw tooLarge();
    await next();
  };
}

export async function readBody(c: ChallengeContext): Promise<string> {
  const { body } = c.req.raw;
  if (!body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(): ChallengeError {
  return new ChallengeError(
    "too_large",
    `the body of a request may have at most ${MOST_BYTES} bytes`,
  );
}
