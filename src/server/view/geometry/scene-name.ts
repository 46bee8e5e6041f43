import { createHash } from "node:crypto";
import { slug } from "../../../runs/file-names.js";

/** Of the hash in a name: enough that no two scenes of a person's runs meet. */
const HASH_DIGITS = 16;

/** A scene's geometry by its id and its content: the same in all runs, and safe in an address. */
export function sceneName(sceneId: string, sha256: string): string {
  const words = slug(sceneId).replace(/[^a-z0-9-]/g, "");
  return `${words || "scene"}-${sha256.slice(0, HASH_DIGITS)}`;
}

/** The same where nobody has a hash of the content but the file itself. */
export function nameOfBytes(sceneId: string, bytes: Uint8Array): string {
  return sceneName(sceneId, createHash("sha256").update(bytes).digest("hex"));
}
