import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/cli.js";
import { selfSigned } from "../../../../test/support/self-signed.js";
import { readTls } from "./tls-files.js";

const folder = temporaryFolder();
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const one = selfSigned();
const cert = write("cert.pem", one.cert);
const key = write("key.pem", one.key);

describe("a certificate and its key", () => {
  it("a certificate and its key are read when they belong together", async () => {
    const { context, validTo } = await readTls({ cert, key });
    expect(context).toMatchObject({ cert: one.cert, key: one.key, minVersion: "TLSv1.2" });
    expect(validTo.getTime()).toBeGreaterThan(Date.now());
  });

  it.each([
    ["tls_mismatch", { key: write("other.pem", selfSigned().key) }],
    ["cannot_read_tls", { cert: join(folder, "nothing.pem") }],
    ["bad_pem", { key: cert }],
    ["bad_pem", { cert: key }],
    ["bad_pem", { cert: write("empty.pem", "") }],
    ["bad_certificate", { cert: write("cut.pem", one.cert.replace(/\n.{60}/, "\n")) }],
    ["bad_key", { key: write("cut-key.pem", one.key.replace(/\n.{60}/, "\n")) }],
    [
      "encrypted_key",
      { key: write("locked.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII=\n") },
    ],
  ])("a certificate and its key are rejected with %s", async (code, files) => {
    await expect(readTls({ cert, key, ...files })).rejects.toMatchObject({ code });
  });
});
