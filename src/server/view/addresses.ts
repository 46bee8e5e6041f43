import { extname } from "node:path";
import type { RunLibrary } from "./library.js";
import { unknownAddress } from "./problem.js";

/** The content of an address. */
export type Content =
  | { readonly type: string; readonly body: string | Uint8Array }
  | { readonly type: string; readonly file: string };

const JSON_TYPE = "application/json; charset=utf-8";
const SVG_TYPE = "image/svg+xml; charset=utf-8";
const VIDEO_TYPES: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".webp": "image/webp",
};

/**
 * Returns the content of an address below `api/`, as documents.ts lists them. A server sends it; a static export
 * writes it to a file of that name.
 *
 * @param parts the decoded parts of the address
 * @param live true for a server, false for a static export
 * @throws DataError, see `statusOf`
 */
export async function contentAt(
  library: RunLibrary,
  parts: readonly string[],
  live: boolean,
): Promise<Content> {
  const [what, name = "", third = "", fourth = ""] = parts;
  const address = parts.join("/");
  if (address === "runs.json") return json(await library.runs(live));
  if (address === "stress.json") return json(await library.stress());
  if (what === "scenes" && parts.length === 2 && name.endsWith(".glb")) {
    return { type: "model/gltf-binary", body: await library.scene(name.slice(0, -".glb".length)) };
  }
  if (what === "compare" && parts.length === 2) return json(await comparison(library, name));
  if (what !== "runs") throw unknownAddress(address);
  if (third === "run.json" && parts.length === 3) return json(await library.run(name));
  if (third === "scenes.json" && parts.length === 3) return json(await library.scenes(name));
  const page = /^episodes-(\d{1,6})\.json$/.exec(third);
  if (page && parts.length === 3) return json(await library.page(name, Number(page[1])));
  if (third === "episodes" && parts.length === 4) return ofEpisode(library, name, fourth);
  if (third === "files") {
    const path = parts.slice(3).join("/");
    const type = VIDEO_TYPES[extname(path)];
    if (type !== undefined) return { type, file: await library.video(name, path) };
  }
  throw unknownAddress(address);
}

/** Longer suffixes first. */
const EPISODE_FILES: readonly (readonly [
  ending: string,
  make: (library: RunLibrary, run: string, episode: string) => Promise<Content>,
])[] = [
  [".track.json", async (library, run, id) => json(await library.track(run, id))],
  [".frames.json", async (library, run, id) => json(await library.frames(run, id))],
  [".thumb.svg", async (library, run, id) => svg(await library.thumbnail(run, id))],
  [".svg", async (library, run, id) => svg(await library.map(run, id))],
  [".json", async (library, run, id) => json(await library.episode(run, id))],
];

async function ofEpisode(library: RunLibrary, run: string, file: string): Promise<Content> {
  for (const [ending, make] of EPISODE_FILES) {
    if (file.endsWith(ending)) return make(library, run, file.slice(0, -ending.length));
  }
  throw unknownAddress(file);
}

/** Splits at the dots whose two sides are existing runs, because a run's name may contain two dots. */
async function comparison(library: RunLibrary, file: string) {
  if (!file.endsWith(".json")) throw unknownAddress(file);
  const pair = file.slice(0, -".json".length);
  const known = new Set((await library.runs(true)).runs.map(({ id }) => id));
  for (let at = pair.indexOf(".."); at !== -1; at = pair.indexOf("..", at + 1)) {
    const [a, b] = [pair.slice(0, at), pair.slice(at + 2)];
    if (known.has(a) && known.has(b)) return library.compare(a, b);
  }
  const [a = "", b = ""] = pair.split("..");
  // Reports which of the two does not exist.
  return library.compare(a, b);
}

function json(document: unknown): Content {
  return { type: JSON_TYPE, body: JSON.stringify(document) };
}

function svg(body: string): Content {
  return { type: SVG_TYPE, body };
}
