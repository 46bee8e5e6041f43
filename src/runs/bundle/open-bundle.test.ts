import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  bundled,
  edit,
  forged,
  type Part,
  partNamed,
  partsOf,
  tampered,
  tarOf,
  withByte,
} from "../../../test/support/bundle.js";
import { evaluate, makeWorld, temporaryFolder } from "../../../test/support/cli.js";
import { RobotEvalError } from "../../core/errors.js";
import type { BundleManifest } from "./manifest.js";
import { openBundle } from "./open-bundle.js";

const folder = temporaryFolder();
const write = (name: string, content: string | Uint8Array) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

function keyPair(name: string, type: "ed25519" | "rsa" = "ed25519") {
  const { privateKey, publicKey } =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync(type);
  return {
    secret: write(`${name}.pem`, privateKey.export({ type: "pkcs8", format: "pem" })),
    open: write(`${name}.pub.pem`, publicKey.export({ type: "spki", format: "pem" })),
  };
}

let runDir = "";
let plain = "";
beforeAll(async () => {
  const { run_dir } = await evaluate(makeWorld());
  runDir = run_dir ?? "";
  plain = (await bundled(runDir)).file;
});

/** The folder in which this file unpacks bundles. */
const unpackedIn = temporaryFolder();
beforeEach(() => {
  vi.stubEnv("TMPDIR", unpackedIn);
  return async () => {
    // A property that reaches its time limit ends while its last case is still running.
    const left = () => readdirSync(unpackedIn).filter((name) => name.includes("bundle-"));
    await expect.poll(left).toEqual([]);
    vi.unstubAllEnvs();
  };
});

async function opens(file: string, key?: string): Promise<void> {
  await (await openBundle(file, { key })).close();
}

const CHANGED = { code: "changed_bundle", exitCode: 4 };
const DAMAGED = { code: "damaged_bundle", exitCode: 2 };

describe("openBundle with a modified bundle", () => {
  it("openBundle rejects one changed byte in any file", async () => {
    const names = (await partsOf(plain)).map(({ name }) => name).slice(1);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const file = await tampered(plain, (parts) => {
        const { bytes } = partNamed(parts, name);
        const at = Math.floor(bytes.length / 2);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
      });
      await expect(opens(file), name).rejects.toMatchObject({
        ...CHANGED,
        message: expect.stringContaining(name),
      });
    }
  });

  const CASES: readonly (readonly [string, (parts: Part[]) => void, object])[] = [
    ["a missing file", (parts) => void parts.pop(), CHANGED],
    [
      "an added file",
      (parts) => void parts.push({ name: "run/extra.json", bytes: Buffer.from("{}") }),
      CHANGED,
    ],
    [
      "a renamed file",
      (parts) => {
        partNamed(parts, "run/summary.json").name = "run/summary2.json";
      },
      CHANGED,
    ],
    ["a duplicate file", (parts) => void parts.push(partNamed(parts, "run/summary.json")), CHANGED],
    [
      "two swapped files",
      (parts) => {
        const [a, b] = [partNamed(parts, "run/summary.json"), partNamed(parts, "run/run.json")];
        [a.bytes, b.bytes] = [b.bytes, a.bytes];
      },
      CHANGED,
    ],
    [
      "a longer file",
      (parts) => {
        const part = partNamed(parts, "run/log.jsonl");
        part.bytes = Buffer.concat([part.bytes, Buffer.alloc(10_000, " ")]);
      },
      CHANGED,
    ],
    [
      "a link",
      (parts) => {
        const at = parts.findIndex(({ name }) => name === "run/summary.json");
        const header = { type: "symlink", linkname: "/etc/passwd" } as const;
        parts.splice(at, 1, { name: "run/summary.json", bytes: Buffer.alloc(0), header });
      },
      CHANGED,
    ],
    [
      "a folder",
      (parts) => {
        parts.splice(1, 0, { name: "run", bytes: Buffer.alloc(0), header: { type: "directory" } });
      },
      CHANGED,
    ],
    ["a manifest that is not the first entry", (parts) => void parts.reverse(), DAMAGED],
    ["a missing manifest", (parts) => void parts.shift(), DAMAGED],
    ["nothing", (parts) => void parts.splice(0), DAMAGED],
    [
      "a manifest that is not JSON",
      (parts) => {
        partNamed(parts, "manifest.json").bytes = Buffer.from("{");
      },
      DAMAGED,
    ],
    [
      "a manifest of a later version",
      (parts) =>
        edit<object>(partNamed(parts, "manifest.json"), (all) => ({
          ...all,
          format: "robot-eval-bundle/2",
        })),
      { ...DAMAGED, message: expect.stringContaining("format") },
    ],
    [
      "a manifest with a wrong hash",
      (parts) =>
        edit<BundleManifest>(partNamed(parts, "manifest.json"), (all) => ({
          ...all,
          files: all.files.map((file) => ({ ...file, sha256: "0".repeat(64) })),
        })),
      CHANGED,
    ],
  ];

  it.each(CASES)("openBundle rejects %s", async (_, change, error) => {
    await expect(opens(await tampered(plain, change))).rejects.toMatchObject(error);
  });
});

describe("openBundle with an unsafe path", () => {
  it.each([
    ...["../outside", "run/../../outside", "/etc/cron.d/x", "run//x", "./run/run.json", ""],
    ...["run\\..\\x", "scenes/../../x", "scenes/.", "run/x\0y"],
    // Paths where Node.js would resolve a plugin as an installed package.
    ...["run/node_modules/p/index.js", "node_modules/p/index.js", "run/plugin.js", "scenes"],
  ])("openBundle rejects a manifest that lists %j", async (name) => {
    const file = await forged(plain, (parts) => void parts.push({ name, bytes: Buffer.from("x") }));
    await expect(opens(file)).rejects.toMatchObject({
      ...DAMAGED,
      message: expect.stringContaining("files"),
    });
  });
});

describe("openBundle with another file", () => {
  it.each([
    ["an empty file", ""],
    ["text", "this is text and not an archive, and longer than one header"],
    ["gzip of text", gzipSync("not a tar archive ".repeat(100))],
    ["gzip of an empty file", gzipSync("")],
    [
      "gzip of noise",
      gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256))),
    ],
  ])("openBundle rejects %s", async (name, content) => {
    const file = write(`${name}.tgz`, content);
    await expect(opens(file)).rejects.toMatchObject(DAMAGED);
  });

  it("openBundle rejects a path that does not exist or is a folder", async () => {
    await expect(opens(join(folder, "nowhere.tgz"))).rejects.toMatchObject({ code: "no_bundle" });
    await expect(opens(runDir)).rejects.toMatchObject({ code: "no_bundle" });
  });

  it("openBundle rejects a bundle truncated at any byte", async () => {
    const bytes = readFileSync(plain);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), async (length) => {
        const file = write("cut.tgz", bytes.subarray(0, length));
        await expect(opens(file)).rejects.toMatchObject(DAMAGED);
      }),
      { numRuns: 25 },
    );
  });

  it("openBundle rejects a truncated archive that was compressed again", async () => {
    const tar = gunzipSync(readFileSync(plain));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 600, max: tar.length - 2048 }), async (length) => {
        const file = write("cut-tar.tgz", gzipSync(tar.subarray(0, length)));
        await expect(opens(file)).rejects.toBeInstanceOf(RobotEvalError);
      }),
      { numRuns: 25 },
    );
  });

  it("openBundle rejects a changed byte in the compressed file unless the content is the same", async () => {
    const size = readFileSync(plain).length;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: size - 1 }), async (at) => {
        await openBundle(withByte(plain, at)).then(
          (bundle) => bundle.close(),
          (error) => expect(error).toBeInstanceOf(RobotEvalError),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe("openBundle with an oversized bundle", () => {
  const zeroes = (bytes: number) => Buffer.alloc(bytes);

  it("openBundle rejects an archive with data after its files", async () => {
    const tar = await tarOf(await partsOf(plain));
    const file = write("bomb.tgz", gzipSync(Buffer.concat([tar, zeroes(64 * 2 ** 20)])));
    await expect(opens(file)).rejects.toMatchObject({
      ...CHANGED,
      message: expect.stringContaining("unpacks to more"),
    });
  });

  it("openBundle rejects a file longer than its manifest entry", async () => {
    const file = await tampered(plain, (parts) => {
      partNamed(parts, "run/log.jsonl").bytes = zeroes(64 * 2 ** 20);
    });
    await expect(opens(file)).rejects.toMatchObject(CHANGED);
  });

  it("openBundle rejects a manifest above the size limit", async () => {
    const file = write(
      "manifest.tgz",
      gzipSync(await tarOf([{ name: "manifest.json", bytes: zeroes(80 * 2 ** 20) }])),
    );
    await expect(opens(file)).rejects.toMatchObject(DAMAGED);
  });

  it("openBundle rejects files listed as larger than the free disk space", async () => {
    const file = await tampered(plain, (parts) =>
      edit<BundleManifest>(partNamed(parts, "manifest.json"), (all) => ({
        ...all,
        files: all.files.map((one) => ({ ...one, bytes: 2 ** 51 })),
      })),
    );
    await expect(opens(file)).rejects.toMatchObject({
      code: "cannot_unpack",
      hint: expect.stringContaining("TMPDIR"),
    });
  });
});

describe("bundle signatures", () => {
  const [mine, other, rsa] = [keyPair("mine"), keyPair("other"), keyPair("rsa", "rsa")];
  let signed = "";
  beforeAll(async () => {
    signed = (await bundled(runDir, { key: mine.secret })).file;
  });

  it("openBundle accepts the key that signed the bundle and rejects another", async () => {
    const bundle = await openBundle(signed, { key: mine.open });
    expect(bundle.signedBy).toMatch(/^SHA256:[0-9a-f]{64}$/);
    await bundle.close();
    await opens(signed);
    await expect(opens(signed, other.open)).rejects.toMatchObject({
      ...{ code: "bad_signature", exitCode: 4 },
      message: expect.stringContaining(bundle.signedBy ?? ""),
    });
  });

  it("openBundle rejects an unsigned bundle when a key is given", async () => {
    await expect(opens(plain, mine.open)).rejects.toMatchObject({
      ...{ code: "bad_signature", exitCode: 4 },
      message: "this bundle is not signed",
    });
  });

  it("openBundle rejects the signature of another bundle, even if the files match the manifest", async () => {
    const { run_dir } = await evaluate(makeWorld(), { agent: "random" });
    const second = (await bundled(run_dir ?? "", { key: mine.secret })).file;
    const stolen = partNamed(await partsOf(signed), "signature.json");
    const file = await tampered(second, (parts) => {
      partNamed(parts, "signature.json").bytes = stolen.bytes;
    });
    await expect(opens(file, mine.open)).rejects.toMatchObject({ code: "bad_signature" });
    await expect(opens(file)).rejects.toMatchObject({ code: "bad_signature" });
  });

  it("openBundle rejects an edited manifest", async () => {
    const file = await tampered(signed, (parts) =>
      edit<BundleManifest>(partNamed(parts, "manifest.json"), (all) => ({ ...all, agent: "gpt" })),
    );
    await expect(opens(file)).rejects.toMatchObject({ code: "bad_signature", exitCode: 4 });
  });

  it.each([
    ["is not JSON", Buffer.from("MIIB"), DAMAGED],
    ["lacks its key", Buffer.from('{"algorithm":"ed25519","signature":"AA=="}'), DAMAGED],
    [
      "has a malformed key",
      Buffer.from('{"algorithm":"ed25519","public_key":"x","signature":"AA=="}'),
      { code: "bad_signature", exitCode: 4 },
    ],
    [
      "has an RSA key",
      Buffer.from(
        JSON.stringify({
          algorithm: "ed25519",
          public_key: readFileSync(rsa.open, "utf8"),
          signature: "AA==",
        }),
      ),
      { code: "bad_signature", exitCode: 4 },
    ],
  ])("openBundle rejects a signature that %s", async (_, bytes, error) => {
    const file = await tampered(signed, (parts) => {
      partNamed(parts, "signature.json").bytes = bytes;
    });
    await expect(opens(file)).rejects.toMatchObject(error);
  });

  it.each([
    ["an RSA key", () => rsa, "expected an Ed25519 key, got type rsa"],
    [
      "a file that is not a key",
      () => ({ secret: write("no.pem", "hello"), open: write("no2.pem", "hello") }),
      "",
    ],
    [
      "a file that does not exist",
      () => ({ secret: "/nowhere.pem", open: "/nowhere.pem" }),
      "ENOENT",
    ],
    [
      "a public key in place of the private one",
      () => ({ secret: mine.open, open: "/nowhere.pem" }),
      "",
    ],
  ])("openBundle rejects %s for signing and verifying", async (_, key, why) => {
    const error = {
      ...{ code: "bad_key", exitCode: 2 },
      message: expect.stringContaining(why),
      hint: expect.stringContaining("openssl"),
    };
    await expect(bundled(runDir, { key: key().secret })).rejects.toMatchObject(error);
    await expect(opens(signed, key().open)).rejects.toMatchObject(error);
  });
});
