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
 * Ed25519 signature of manifest.json, which contains the hash of every other file. The included public key proves
 * only that the bundle is unmodified since signing; to know who signed it, compare the key with one from a trusted
 * source.
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

/** The key that signed these bytes; undefined if the signature does not match. */
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

/** SHA-256 of the key in DER form, as `openssl dgst` prints it. */
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
      hint: `create a key with: ${made}`,
      cause,
    });
  let key: KeyObject;
  try {
    key = read(await readFile(file, "utf8"));
  } catch (cause) {
    throw problem(errorMessage(cause), cause);
  }
  if (key.asymmetricKeyType === TYPE) return key;
  throw problem(`expected an Ed25519 key, got type ${key.asymmetricKeyType}`);
}
