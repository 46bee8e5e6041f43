import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

/** Whether two secrets are the same, in a time that does not tell where they differ. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Which connections may be taken up again, and by what token. */
export class ResumeTokens {
  readonly #tokens = new Map<string, string>();

  newId(): string {
    return randomUUID();
  }

  /** The token of a connection: the same for as long as it is not forgotten. */
  issue(sessionId: string): string {
    const token = this.#tokens.get(sessionId) ?? randomBytes(16).toString("hex");
    this.#tokens.set(sessionId, token);
    return token;
  }

  /** The connection that is taken up; undefined when it is over or the token is another's. */
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
