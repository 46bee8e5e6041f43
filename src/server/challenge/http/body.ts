import type { MiddlewareHandler } from "hono";
import { ChallengeError } from "../errors.js";
import type { ChallengeContext, Environment } from "./context.js";

/** Of a request's body: nothing that is sent here is larger than a token and a name. */
const MOST_BYTES = 16 * 1024;

/** Refuses what says that it is too large; what does not say so is counted while it is read. */
export function limitBody(): MiddlewareHandler<Environment> {
  return async (c, next) => {
    if (Number(c.req.header("Content-Length") ?? 0) > MOST_BYTES) throw tooLarge();
    await next();
  };
}

/** A request's body as text. */
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
  return new ChallengeError("too_large", `a request holds at most ${MOST_BYTES} bytes`);
}
