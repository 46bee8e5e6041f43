import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Context } from "hono";
import { openPlain } from "../runs/directory/plain-files.js";
import type { Prepared } from "./view/cached.js";

/** Sends a body, compressed if the browser accepts gzip, or 304 if the browser has it. */
export function sendPrepared(c: Context, prepared: Prepared, cacheControl: string): Response {
  const { type, body, packed, etag } = prepared;
  const packs = packed !== undefined && /\bgzip\b/.test(c.req.header("Accept-Encoding") ?? "");
  const headers = {
    "Cache-Control": cacheControl,
    ETag: etag,
    ...(packed === undefined ? {} : { Vary: "Accept-Encoding" }),
  };
  const known = (c.req.header("If-None-Match") ?? "").split(",").map((tag) => tag.trim());
  if (known.some((tag) => tag.replace(/^W\//, "") === etag)) return c.body(null, 304, headers);
  const sent = packs ? packed : body;
  return c.body(new Uint8Array(sent), 200, {
    ...headers,
    "Content-Type": type,
    "Content-Length": String(sent.length),
    ...(packs ? { "Content-Encoding": "gzip" } : {}),
  });
}

/** Sends a file or the requested range of it, as video players need. */
export async function sendFile(c: Context, path: string, type: string): Promise<Response> {
  const { size } = await stat(path);
  const headers = { "Content-Type": type, "Accept-Ranges": "bytes", "Cache-Control": "no-cache" };
  const range = rangeOf(c.req.header("Range"), size);
  if (range === "beyond") {
    return c.body(null, 416, { ...headers, "Content-Range": `bytes */${size}` });
  }
  const [start, end] = range ?? [0, size - 1];
  const length = String(end - start + 1);
  if (c.req.method === "HEAD" || size === 0) {
    return c.body(null, range ? 206 : 200, { ...headers, "Content-Length": length });
  }
  const file = await openPlain(path);
  const stream = Readable.toWeb(file.createReadStream({ start, end })) as ReadableStream;
  return c.body(stream, range ? 206 : 200, {
    ...headers,
    "Content-Length": length,
    ...(range ? { "Content-Range": `bytes ${start}-${end}/${size}` } : {}),
  });
}

/** Parses a single range. Several or invalid ranges get the whole file (RFC 9110, 14.2). */
function rangeOf(
  header: string | undefined,
  size: number,
): [number, number] | "beyond" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    return to === "0" || size === 0 ? "beyond" : [Math.max(0, size - Number(to)), size - 1];
  }
  const start = Number(from);
  const end = Math.min(to === "" ? size - 1 : Number(to), size - 1);
  if (start >= size) return "beyond";
  return end < start ? undefined : [start, end];
}
