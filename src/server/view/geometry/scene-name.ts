import { createHash } from "node:crypto";
import { slug } from "../../../runs/directory/file-names.js";

/** Digits of the hash in a name, enough to avoid collisions. */
const HASH_DIGITS = 16;

/** A name made of a scene's id and content hash: the same in all runs, and safe in URLs. */
export function sceneName(sceneId: string, sha256: string): string {
  const words = slug(sceneId).replace(/[^a-z0-9-]/g, "");
  return `${words || "scene"}-${sha256.slice(0, HASH_DIGITS)}`;
}

/** The same name, with the hash computed from the file. */
export function nameOfBytes(sceneId: string, bytes: Uint8Array): string {
  return sceneName(sceneId, createHash("sha256").update(bytes).digest("hex"));
}
