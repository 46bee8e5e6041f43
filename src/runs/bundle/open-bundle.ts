import type { KeyObject } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ZodType } from "zod";
import { check } from "../../config/issues.js";
import { DataError, errorMessage } from "../../core/errors.js";
import { type BundleManifest, MANIFEST, manifestSchema, PARTS, SIGNATURE } from "./manifest.js";
import { type ArchiveHead, cannotUnpack, damaged, readArchive } from "./read-archive.js";
import { fingerprint, readPublicKey, signatureSchema, signerOf } from "./signature.js";

/** An unpacked bundle whose files match its manifest. */
export interface OpenBundle {
  readonly file: string;
  readonly manifest: BundleManifest;
  /** Fingerprint of the signing key; undefined if unsigned. */
  readonly signedBy: string | undefined;
  /** The folder in which it was unpacked. */
  readonly folder: string;
  /** The run directory in it. */
  readonly run: string;
  /** Deletes the unpacked files. */
  close(): Promise<void>;
}

export interface OpenBundleOptions {
  /** Path of the public key that must match the signature. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function openBundle(
  file: string,
  { key, signal }: OpenBundleOptions = {},
): Promise<OpenBundle> {
  const expected = key === undefined ? undefined : await readPublicKey(key);
  const folder = await mkdtemp(join(tmpdir(), "robot-eval-bundle-"));
  // A second Ctrl-C ends the process immediately, even while the folder is being deleted.
  const onExit = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", onExit);
  const close = async () => {
    await rm(folder, { recursive: true, force: true });
    process.off("exit", onExit);
  };
  try {
    let read: Head | undefined;
    const onHead = async (head: ArchiveHead) => {
      read = readHead(file, head, expected);
      await checkRoom(folder, read.manifest);
      return read.manifest;
    };
    await readArchive(file, folder, { onHead, signal });
    if (!read) throw damaged(file, "the bundle is empty");
    return { file, ...read, folder, run: join(folder, PARTS.run), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Head = Pick<OpenBundle, "manifest" | "signedBy">;

function readHead(file: string, head: ArchiveHead, expected: KeyObject | undefined): Head {
  const manifest = parse(file, MANIFEST, head.manifest, manifestSchema);
  const rejected = (why: string) =>
    new DataError("bad_signature", why, { where: file, exitCode: 4 });
  if (!head.signature) {
    if (expected) throw rejected("this bundle is not signed");
    return { manifest, signedBy: undefined };
  }
  const signature = parse(file, SIGNATURE, head.signature, signatureSchema);
  const signer = signerOf(head.manifest, signature);
  if (!signer) throw rejected("the signature does not match this bundle");
  if (expected && !expected.equals(signer)) {
    throw rejected(`the bundle was signed with another key, ${fingerprint(signer)}`);
  }
  return { manifest, signedBy: fingerprint(signer) };
}

function parse<T>(file: string, name: string, bytes: Uint8Array, schema: ZodType<T>): T {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw damaged(file, `its ${name} is damaged: ${errorMessage(cause)}`, cause);
  }
  const result = check(schema, document);
  if ("data" in result) return result.data;
  const [first] = result.findings;
  const where = first && first.path.length > 0 ? `, ${first.path.join(".")}` : "";
  throw damaged(file, `its ${name}${where}: ${first?.problem}`);
}

async function checkRoom(folder: string, { files }: BundleManifest): Promise<void> {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(folder);
  if (needed <= bavail * bsize) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const why = `it needs ${gigabytes(needed)}, and ${gigabytes(bavail * bsize)} are free`;
  throw cannotUnpack(folder, why);
}
