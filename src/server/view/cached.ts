import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Content, contentAt } from "./addresses.js";
import type { RunLibrary } from "./library.js";
import { Lru } from "./lru.js";

const gzipAsync = promisify(gzip);
const MOST_BYTES = 128 * 1024 * 1024;
/** Smaller bodies are not compressed. */
const LEAST_PACKED = 1024;

/** A content with its ETag. */
export interface Prepared {
  readonly type: string;
  readonly body: Uint8Array;
  /** The compressed body, if that is smaller. */
  readonly packed: Uint8Array | undefined;
  readonly etag: string;
}

export type Found = Prepared | Extract<Content, { readonly file: string }>;

/** Caches the contents of a library while their run is unchanged. */
export class CachedContents {
  readonly #kept = new Lru<Prepared>(
    MOST_BYTES,
    ({ body, packed }) => body.length + (packed?.length ?? 0),
  );
  readonly #making = new Map<string, Promise<Found>>();

  constructor(private readonly library: RunLibrary) {}

  async at(parts: readonly string[]): Promise<Found> {
    const key = await this.#keyOf(parts);
    if (key === undefined) return this.#make(parts);
    const kept = this.#kept.get(key) ?? this.#making.get(key);
    if (kept) return kept;
    // Concurrent requests share the same promise.
    const making = this.#make(parts).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    const found = await making;
    if ("body" in found) this.#kept.set(key, found);
    return found;
  }

  async #make(parts: readonly string[]): Promise<Found> {
    const content = await contentAt(this.library, parts, true);
    return "file" in content ? content : prepare(content.type, content.body);
  }

  /** Undefined for contents that are not cached here: lists, and scenes, which the library caches. */
  async #keyOf(parts: readonly string[]): Promise<string | undefined> {
    const [what, name] = parts;
    if (what !== "runs" || name === undefined) return undefined;
    return JSON.stringify([await this.library.stampOf(name), ...parts]);
  }
}

export async function prepare(type: string, content: string | Uint8Array): Promise<Prepared> {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const packs = body.length >= LEAST_PACKED && /json|svg|javascript|css|html|gltf/.test(type);
  const packed = packs ? await gzipAsync(body, { level: 4 }) : undefined;
  return { type, body, etag, packed: packed && packed.length < body.length ? packed : undefined };
}
