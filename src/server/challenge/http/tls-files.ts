import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SecureContextOptions } from "node:tls";
import { ConfigError, errorCode, errorMessage } from "../../../core/errors.js";

/** Paths of PEM files. */
export interface TlsFiles {
  /** The certificate, followed by its chain. */
  readonly cert: string;
  readonly key: string;
}

export interface TlsMaterial {
  readonly context: SecureContextOptions;
  /** End of the certificate's validity. */
  readonly validTo: Date;
}

/** Reads and checks certificate and key. @throws ConfigError */
export async function readTls(files: TlsFiles): Promise<TlsMaterial> {
  const [cert, key] = await Promise.all([
    pem(files.cert, "tls.cert", /-----BEGIN CERTIFICATE-----/, "a certificate"),
    pem(files.key, "tls.key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/, "a private key"),
  ]);
  const certificate = parsed(files.cert, "bad_certificate", () => new X509Certificate(cert));
  const secret = privateKey(files.key, key);
  if (!certificate.checkPrivateKey(secret)) {
    throw new ConfigError("tls_mismatch", "the key does not belong to the certificate", {
      where: `${files.key} and ${files.cert}`,
      hint: "use the key with which the certificate was requested; in a chain, the server's own certificate comes first",
    });
  }
  return {
    context: { cert, key, minVersion: "TLSv1.2" },
    validTo: new Date(certificate.validTo),
  };
}

async function pem(path: string, setting: string, mark: RegExp, what: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    const missing = errorCode(cause) === "ENOENT";
    throw new ConfigError(
      "cannot_read_tls",
      missing ? "the file does not exist" : "the file cannot be read",
      {
        where: `${setting}: ${path}`,
        hint: missing
          ? "relative paths start at the current folder or at the challenge's file"
          : `give this process access to it: ${errorMessage(cause)}`,
        cause,
      },
    );
  });
  if (mark.test(text)) return text;
  throw new ConfigError("bad_pem", `the file does not contain ${what} in PEM format`, {
    where: `${setting}: ${path}`,
    hint: `a PEM file has a line that begins with -----BEGIN ...; this one ${text.trim() === "" ? "is empty" : "has none for this"}`,
  });
}

function privateKey(path: string, key: string): KeyObject {
  if (/ENCRYPTED/.test(key)) {
    throw new ConfigError("encrypted_key", "the key is encrypted with a passphrase", {
      where: path,
      hint: "use a key without one (openssl pkey -in key.pem -out plain.pem), readable by this process only",
    });
  }
  return parsed(path, "bad_key", () => createPrivateKey(key));
}

function parsed<T>(path: string, code: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new ConfigError(code, `the file is damaged: ${errorMessage(cause)}`, {
      where: path,
      cause,
    });
  }
}
