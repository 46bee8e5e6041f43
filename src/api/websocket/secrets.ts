import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Tokens by which connections can be resumed. */
export class ResumeTokens {
  readonly #tokens = new Map<string, string>();

  newId(): string {
    return randomUUID();
  }

  /** The token of a connection; the same until it is forgotten. */
  issue(sessionId: string): string {
    const token = this.#tokens.get(sessionId) ?? randomBytes(16).toString("hex");
    this.#tokens.set(sessionId, token);
    return token;
  }

  /** The connection to resume; undefined if it has ended or the token is wrong. */
  redeem(resume: {
    readonly session_id: string;
    readonly resume_token?: string | undefined;
  }): { readonly sessionId: string } | undefined {
    const token = this.#tokens.get(resume.session_id);
    if (token === undefined || !sameSecret(token, resume.resume_token ?? "")) return undefined;
    return { sessionId: resume.session_id };
  }

  forget(sessionId: string): void {
    this.#tokens.delete(sessionId);
  }
}
