import { createHash } from "node:crypto";

/** Leaves room for an ending within the 255 bytes that file systems allow. */
const LONGEST = 180;

/**
 * An episode key as a file name: percent-encoded where a file system or a shell could object, and cut
 * with a hash behind where it is too long. Different keys give different names.
 */
export function safeFileName(key: string): string {
  const encoded = encodeURIComponent(key)
    .replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, "%2E");
  if (encoded.length <= LONGEST) return encoded;
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `${encoded.slice(0, LONGEST - 17)}-${hash}`;
}

/** Lower-case words of a name, for run ids. */
export function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-").slice(0, 40) || "run";
}
