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
 * stands beside it: it tells that nobody changed the bundle since, and not who signed it.
 */
export const signatureSchema = z.object({
  algorithm: z.literal("ed25519"),
  public_key: z.string(),
  signature: z.string(),
});

export type BundleSignature = z.output<typeof signatureSchema>;

export async function signManifest(
  manifest: Uint8Array,
  keyFile: string,
): Promise<BundleSignature> {
  const key = await readKey(keyFile, createPrivateKey, "private");
  return {
    algorithm: "ed25519",
    public_key: pem(createPublicKey(key)),
    signature: sign(null, manifest, key).toString("base64"),
  };
}

export function isSigned(
  manifest: Uint8Array,
  { public_key, signature }: BundleSignature,
): boolean {
  try {
    const key = createPublicKey(public_key);
    return verify(null, manifest, key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** Whether the key that signed is the one in a file. */
export async function isKeyOf({ public_key }: BundleSignature, keyFile: string): Promise<boolean> {
  return pem(await readKey(keyFile, createPublicKey, "public")) === public_key;
}

/** What a person can compare: the SHA-256 of the key, as OpenSSL would print it of the DER form. */
export function fingerprint({ public_key }: BundleSignature): string {
  const der = createPublicKey(public_key).export({ type: "spki", format: "der" });
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
  if (key.asymmetricKeyType === "ed25519") return key;
  throw problem(`it is of type ${key.asymmetricKeyType}`);
}

function pem(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}
