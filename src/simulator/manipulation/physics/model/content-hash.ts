import { createHash } from "node:crypto";

const HASHES = new WeakMap<Uint8Array, string>();

/** SHA-256 in hex. Cached by buffer, because the worlds of a robot share the buffers of its meshes. */
export function contentHash(bytes: Uint8Array): string {
  const known = HASHES.get(bytes);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(bytes).digest("hex");
  HASHES.set(bytes, hash);
  return hash;
}
