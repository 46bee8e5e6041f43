import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ConfigError, errorMessage } from "../../core/errors.js";

/**
 * Ed25519 over the bytes of manifest.json, which holds the hash of every other file. The public key
 * stands beside it: it tells that nobody changed the bundle since, and who signed it only to whoever knows
 * the key from elsewhere.
 */
export const signatureSchema = z.object({
  algorithm: z.literal("ed25519"),
  public_key: z.string(),
  signature: z.string(),
});

const TYPE = "ed25519";

export type BundleSignature = z.output<typeof signatureSchema>;

export function readPrivateKey(file: string): Promise<KeyObject> {
  return readKey(file, createPrivateKey, "private");
}

export function readPublicKey(file: string): Promise<KeyObject> {
  return readKey(file, createPublicKey, "public");
}

export function signManifest(manifest: Uint8Array, key: KeyObject): BundleSignature {
  return {
    algorithm: "ed25519",
    public_key: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
    signature: sign(null, manifest, key).toString("base64"),
  };
}

/** The key that signed these bytes; undefined where the signature is not of them. */
export function signerOf(
  manifest: Uint8Array,
  { public_key, signature }: BundleSignature,
): KeyObject | undefined {
  try {
    const key = createPublicKey(public_key);
    const isOurs = key.asymmetricKeyType === TYPE;
    return isOurs && verify(null, manifest, key, Buffer.from(signature, "base64"))
      ? key
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a person can compare: the SHA-256 of the key in its DER form, as `openssl dgst` prints it. */
export function fingerprint(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return `SHA256:${createHash("sha256").update(der).digest("hex")}`;
}

async function readKey(
  file: string,
  read: (text: string) => KeyObject,
  kind: "private" | "public",
): Promise<KeyObject> {
  const made =
    kind === "private"
      ? "openssl genpkey -algorithm ed25519 -out key.pem"
      : "openssl pkey -in key.pem -pubout -out public.pem";
  const problem = (why: string, cause?: unknown) =>
    new ConfigError("bad_key", `not an Ed25519 ${kind} key: ${why}`, {
      where: file,
      hint: `make one with: ${made}`,
      cause,
    });
  let key: KeyObject;
  try {
    key = read(await readFile(file, "utf8"));
  } catch (cause) {
    throw problem(errorMessage(cause), cause);
  }
  if (key.asymmetricKeyType === TYPE) return key;
  throw problem(`it is of type ${key.asymmetricKeyType}`);
}
