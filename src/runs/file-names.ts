import { createHash } from "node:crypto";

/** Leaves room for an ending within the 255 bytes that file systems allow. */
const LONGEST = 180;

/** A run id holds two slugs; at three bytes a letter they and the rest stay within 255. */
const LONGEST_SLUG = 36;

/**
 * An episode key as a file name: percent-encoded where a file system or a shell could object, and cut
 * with a hash behind where it is too long. Different keys give different names.
 */
export function safeFileName(key: string): string {
  const encoded = percentEncoded(key)
    .replace(/[!'()*~]/g, (c) => `%${hex(c)}`)
    .replace(/^\./, "%2E");
  if (encoded.length <= LONGEST) return encoded;
  const hash = createHash("sha256").update(encoded).digest("hex").slice(0, 16);
  // Encoding leaves no plus sign, so no short key can have the name of a cut one.
  return `${encoded.slice(0, LONGEST - 17)}+${hash}`;
}

/** `encodeURIComponent`, which has no answer to half a surrogate pair. */
function percentEncoded(text: string): string {
  const parts = text.split(/(\p{Surrogate})/u);
  return parts
    .map((part, i) => (i % 2 === 1 ? `%u${hex(part)}` : encodeURIComponent(part)))
    .join("");
}

function hex(char: string): string {
  return char.charCodeAt(0).toString(16).toUpperCase();
}

/** Lower-case words of a name, for run ids. */
export function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // A cut through a surrogate pair would leave half of it.
  const cut = words
    .join("-")
    .slice(0, LONGEST_SLUG)
    .replace(/\p{Surrogate}$/u, "");
  return cut.replace(/-$/, "") || "run";
}
