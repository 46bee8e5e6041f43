import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Lets secret scanners and readers of a log recognise a token. */
const PREFIX = "rec";
const ID_BYTES = 6;
/** As many bits as the hash. */
const SECRET_BYTES = 32;

/** Makes `rec_<id>_<secret>`. The row is found by the id; the secret is only compared, in constant time. */
export function newToken(): { readonly id: string; readonly token: string; readonly hash: Buffer } {
  const id = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  const token = `${PREFIX}_${id}_${secret}`;
  return { id, token, hash: hashOf(token) };
}

/** The id in a token; undefined if the text is not a token. */
export function tokenId(token: string): string | undefined {
  return /^rec_([0-9a-f]{12})_[0-9a-f]{64}$/.exec(token)?.[1];
}

export function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Compares in constant time. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
