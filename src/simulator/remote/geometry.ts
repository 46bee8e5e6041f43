import { createHash } from "node:crypto";
import { PeerError } from "../../api/websocket/peer-error.js";
import type { WorldGeometry } from "../../core/interfaces/simulator.js";
import type { SimMessageOf } from "./messages.js";
import type { SimulatorSession } from "./session.js";

/** Limit on the files of a world (meshes and textures): five times those of a Panda in robosuite. */
const MOST_BYTES = 256 * 2 ** 20;
const MOST_MODEL_CHARACTERS = 16 * 2 ** 20;
const MOST_FILES = 4096;
/** Names become file names in MuJoCo's virtual file system; they never reach the disk. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Repeats the request until all files have arrived: the simulator spreads them over several messages. */
export async function geometryFrom(
  session: Pick<SimulatorSession, "geometry" | "url">,
  known: ReadonlySet<string>,
  waitMs: number,
): Promise<WorldGeometry | undefined> {
  const deadline = performance.now() + waitMs;
  const assets = new Map<string, Uint8Array>();
  const isHere = (sha256: string) => known.has(sha256) || assets.has(sha256);
  let size = 0;
  for (;;) {
    const leftMs = Math.max(1, deadline - performance.now());
    const answer = await session.geometry([...known, ...assets.keys()], leftMs);
    const { mjcf, groups } = answer;
    if (mjcf === undefined) return undefined;
    const received = filesIn(answer, session.url);
    const files = { ...answer.files, ...received.hashes };
    checkNames(files, mjcf, session.url);
    const before = assets.size;
    for (const [sha256, bytes] of received.assets) {
      if (isHere(sha256)) continue;
      assets.set(sha256, bytes);
      size += bytes.length;
    }
    if (size > MOST_BYTES)
      throw refused("too_large", `it is larger than ${MOST_BYTES} bytes`, session.url);
    const missing = Object.keys(files).filter((name) => !isHere(files[name] ?? ""));
    if (missing.length === 0) return { mjcf, files, assets, ...(groups ? { groups } : {}) };
    if (assets.size === before) {
      throw refused(
        "incomplete",
        `it lists the file ${missing[0]} but does not send it`,
        session.url,
      );
    }
  }
}

/** Hashes the content, because the hashes that the simulator sends may be wrong. */
function filesIn({ assets = {} }: SimMessageOf<"geometry">, where: string) {
  const hashes: Record<string, string> = {};
  const found = new Map<string, Uint8Array>();
  for (const [name, value] of Object.entries(assets)) {
    if (!(value instanceof Uint8Array))
      throw refused("bad_file", `the file ${name} is not binary`, where);
    const sha256 = createHash("sha256").update(value).digest("hex");
    hashes[name] = sha256;
    // Copies the bytes: a view would keep the whole frame in memory.
    found.set(sha256, new Uint8Array(value));
  }
  return { hashes, assets: found };
}

function checkNames(files: Readonly<Record<string, string>>, mjcf: string, where: string): void {
  const entries = Object.entries(files);
  if (entries.length > MOST_FILES || mjcf.length > MOST_MODEL_CHARACTERS) {
    throw refused(
      "too_large",
      `it has ${entries.length} files and a model of ${mjcf.length} characters; at most ${MOST_FILES} and ${MOST_MODEL_CHARACTERS} are allowed`,
      where,
    );
  }
  for (const [name, sha256] of entries) {
    if (NAME.test(name) && SHA256.test(sha256)) continue;
    throw refused(
      "bad_file",
      `it names a file ${JSON.stringify(name)} whose name or hash is not valid`,
      where,
    );
  }
}

function refused(code: string, why: string, where: string): PeerError {
  return new PeerError(`geometry_${code}`, `the world's geometry cannot be used: ${why}`, {
    where,
  });
}
