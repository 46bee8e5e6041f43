import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** So that secret scanners, and people who find one in a log, know what it is. */
const PREFIX = "rec";
const ID_BYTES = 6;
/** As many bits as the hash has: to guess one is as hard as to invert the other. */
const SECRET_BYTES = 32;

/** `rec_<id>_<secret>`: the id finds the row, so that the secret is compared and never searched for. */
export function newToken(): { readonly id: string; readonly token: string; readonly hash: Buffer } {
  const id = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  const token = `${PREFIX}_${id}_${secret}`;
  return { id, token, hash: hashOf(token) };
}

/** The id in a token; undefined for a text that is none. */
export function tokenId(token: string): string | undefined {
  return /^rec_([0-9a-f]{12})_[0-9a-f]{64}$/.exec(token)?.[1];
}

export function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** In a time that does not tell where they differ. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
