import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { DataError } from "../core/errors.js";
import { type Prepared, prepare } from "./view/cached.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** The files of the built page. Only files found in the folder are served. */
export class PageFiles {
  /** Cached with the file's stamp, because the page may be rebuilt while it is served. */
  readonly #kept = new Map<string, { readonly stamp: string; readonly prepared: Prepared }>();
  #names: ReadonlySet<string> = new Set();

  constructor(private readonly root: string) {}

  /** Paths relative to the folder, with slashes. @throws DataError `no_page` if the page was never built */
  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.root.length + 1))
      .map((name) => name.replaceAll("\\", "/"));
    if (names.includes("index.html")) return names.sort();
    throw new DataError("no_page", "the page has not been built", {
      where: this.root,
      hint: "in a checkout: npm run build",
    });
  }

  /** Undefined if the file does not exist. */
  async get(address: string): Promise<Prepared | undefined> {
    const name = address === "" ? "index.html" : address;
    if (!this.#names.has(name)) this.#names = new Set(await this.names());
    if (!this.#names.has(name)) return undefined;
    const path = join(this.root, name);
    const found = await stat(path).catch(() => undefined);
    if (!found) return undefined;
    const stamp = `${found.ino} ${found.mtimeMs} ${found.size}`;
    const kept = this.#kept.get(name);
    if (kept?.stamp === stamp) return kept.prepared;
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    const prepared = await prepare(type, await readFile(path));
    this.#kept.set(name, { stamp, prepared });
    return prepared;
  }
}
