import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ZodType } from "zod";
import { DataError, errorMessage } from "../../core/errors.js";
import { readArchive } from "./archive.js";
import {
  type BundleFile,
  type BundleManifest,
  MANIFEST,
  manifestSchema,
  PARTS,
  SIGNATURE,
} from "./manifest.js";
import {
  type BundleSignature,
  fingerprint,
  isKeyOf,
  isSigned,
  signatureSchema,
} from "./signature.js";

/** A bundle that was unpacked and whose files are those that its manifest names. */
export interface OpenBundle {
  readonly manifest: BundleManifest;
  /** Of the key that signed it; undefined where nobody did. */
  readonly signedBy: string | undefined;
  /** The run directory in it. */
  readonly run: string;
  /** Folders of scenes' files and of navigation graphs; undefined where the bundle has none. */
  readonly scenes: string | undefined;
  readonly connectivity: string | undefined;
  /** Deletes what was unpacked. */
  close(): Promise<void>;
}

/** @param key file of the public key that must have signed it */
export async function openBundle(file: string, key?: string): Promise<OpenBundle> {
  const folder = await mkdtemp(join(tmpdir(), "robot-eval-bundle-"));
  try {
    const found = await readArchive(file, folder);
    const manifest = await readPart(folder, MANIFEST, manifestSchema, file);
    checkFiles(file, manifest, found);
    const signature = found.has(SIGNATURE)
      ? await readPart(folder, SIGNATURE, signatureSchema, file)
      : undefined;
    await checkSignature(file, await readFile(join(folder, MANIFEST)), signature, key);
    const part = (name: string) =>
      manifest.files.some(({ path }) => path.startsWith(`${name}/`))
        ? join(folder, name)
        : undefined;
    return {
      manifest,
      signedBy: signature && fingerprint(signature),
      run: join(folder, PARTS.run),
      scenes: part(PARTS.scenes),
      connectivity: part(PARTS.graphs),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function readPart<T>(
  folder: string,
  name: string,
  schema: ZodType<T>,
  file: string,
): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readFile(join(folder, name), "utf8")));
  } catch (cause) {
    throw new DataError(
      "damaged_bundle",
      `its ${name} is missing or damaged: ${errorMessage(cause)}`,
      {
        where: file,
        hint: "a bundle is what `robot-eval bundle` makes",
        cause,
      },
    );
  }
}

/** All that the manifest names, as it names them, and nothing else. */
function checkFiles(file: string, manifest: BundleManifest, found: Map<string, BundleFile>): void {
  const rest = new Map(found);
  for (const name of [MANIFEST, SIGNATURE]) rest.delete(name);
  for (const { path, sha256 } of manifest.files) {
    const there = rest.get(path);
    rest.delete(path);
    if (there?.sha256 === sha256) continue;
    const what = there ? "is not the file that the manifest names" : "is missing";
    throw new DataError("changed_bundle", `${path} ${what}`, { where: file, exitCode: 4 });
  }
  for (const path of rest.keys()) {
    throw new DataError("changed_bundle", `${path} is not in the manifest`, {
      where: file,
      exitCode: 4,
    });
  }
}

async function checkSignature(
  file: string,
  manifest: Uint8Array,
  signature: BundleSignature | undefined,
  key: string | undefined,
): Promise<void> {
  const refuse = (why: string) => new DataError("bad_signature", why, { where: file, exitCode: 4 });
  if (signature && !isSigned(manifest, signature))
    throw refuse("the signature is not of this bundle");
  if (key === undefined) return;
  if (!signature) throw refuse("nobody has signed this bundle");
  if (!(await isKeyOf(signature, key))) {
    throw refuse(`it was signed with another key, ${fingerprint(signature)}`);
  }
}
