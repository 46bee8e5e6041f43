import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { DataError, errorCode, errorMessage } from "../../../core/errors.js";
import { rejectLfsPointer } from "../../../core/lfs-pointer.js";
import { elementsNamed, type MjcfTag, scanMjcf } from "../../../core/mjcf/scan.js";
import { checkWithin } from "../../scenes/within.js";
import type { ModelFiles } from "../physics/model/compile.js";
import { checkFileSize } from "../physics/model/size.js";

/** An MJCF file with all files that it refers to, by the paths that MuJoCo uses. */
export interface MjcfFiles {
  /** MuJoCo's path of the file itself. */
  readonly main: string;
  readonly files: ModelFiles;
  /** The text of its `<option>` elements, and of those of included files. */
  readonly options: readonly string[];
  /** Hash of all files. */
  readonly sha256: string;
}

/** A tag, and the file that contains it: the model's own or an included one. */
interface PlacedTag {
  readonly tag: MjcfTag;
  readonly path: string;
}

/** The folders that a model's compiler settings name. */
interface Folders {
  readonly mesh: string;
  readonly texture: string;
  readonly strip: boolean;
}

/**
 * Reads an MJCF file with its includes, meshes, textures, height fields, skins and attached models. Paths are resolved
 * as in MuJoCo: relative to the file or to the included file that names them, and to `meshdir` and `texturedir`. They
 * may lead anywhere on disk, unless the scene is read with `readWithin`.
 */
export async function readMjcf(file: string): Promise<MjcfFiles> {
  const reader = new Reader();
  const tags = await reader.model(resolve(file));
  const digest = createHash("sha256");
  for (const [name, bytes] of reader.files) {
    digest.update(`${bytes.length} ${basename(name)}\n`).update(bytes);
  }
  return {
    main: virtual(resolve(file)),
    files: Object.fromEntries(reader.files),
    options: tags
      .filter(({ tag }) => tag.tag === "option" && tag.kind !== "close")
      .map(({ tag, path }) => elementText(reader.text(path), tag)),
    sha256: digest.digest("hex"),
  };
}

/** The files without keyframes, which are invalid once a model is attached to another. */
export function withoutKeyframes({ files }: MjcfFiles): ModelFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => {
      if (!isXml(path)) return [path, bytes];
      const text = decode(bytes);
      const frames = elementsNamed(scanMjcf(text), "keyframe");
      if (frames.length === 0) return [path, bytes];
      // Blanked instead of removed, so that line numbers in MuJoCo's errors stay correct.
      const blank = (part: string) => part.replaceAll(/[^\n]/g, " ");
      const kept = frames.reduce(
        (all, { start, end }) =>
          all.slice(0, start) + blank(all.slice(start, end)) + all.slice(end),
        text,
      );
      return [path, new TextEncoder().encode(kept)];
    }),
  );
}

/** MuJoCo's path of a file: slashes, and no colon after the drive letter. */
function virtual(path: string): string {
  const slashed = path.replaceAll("\\", "/").replace(/^([A-Za-z]):/, "/$1");
  return slashed.startsWith("/") ? slashed : `/${slashed}`;
}

class Reader {
  /** Contents, keyed by the path that MuJoCo uses. */
  readonly files = new Map<string, Uint8Array>();
  readonly #models = new Set<string>();
  /** Size of all files so far. */
  #bytes = 0;

  text(path: string): string {
    return decode(this.files.get(virtual(path)) ?? new Uint8Array());
  }

  /**
   * All tags of a model, with those of included files in place. Also reads the files that it names and the models that
   * it attaches.
   */
  async model(path: string): Promise<readonly PlacedTag[]> {
    if (!(await this.#read(path))) {
      throw new DataError("missing_scene", `the scene file ${path} does not exist`, {
        where: path,
      });
    }
    // A model that attaches itself is rejected by MuJoCo.
    if (this.#models.has(path)) return [];
    this.#models.add(path);
    const base = dirname(path);
    const tags = await this.#tags(path, base, new Set());
    const folders = foldersOf(tags);
    for (const placed of tags) await this.#references(placed, base, folders);
    return tags;
  }

  async #tags(path: string, base: string, seen: Set<string>): Promise<readonly PlacedTag[]> {
    if (seen.has(path)) return [];
    seen.add(path);
    const all: PlacedTag[] = [];
    for (const tag of scanMjcf(this.text(path))) {
      all.push({ tag, path });
      const { file } = tag.attributes;
      if (tag.tag !== "include" || file === undefined) continue;
      for (const found of await this.#find({ tag, path }, "file", [base, dirname(path)], file)) {
        all.push(...(await this.#tags(found, base, seen)));
      }
    }
    return all;
  }

  async #references(placed: PlacedTag, base: string, folders: Folders): Promise<void> {
    const { tag, path } = placed;
    const folder = FOLDER_OF[tag.tag];
    if (folder === undefined || tag.kind === "close") return;
    for (const [name, value] of Object.entries(tag.attributes)) {
      if (!FILE.test(name)) continue;
      const file = folders.strip && folder !== "" ? basename(value.replaceAll("\\", "/")) : value;
      const inside = folder === "" ? "" : folders[folder];
      const places = [base, dirname(path)].map((place) => resolve(place, inside));
      const found = await this.#find(placed, name, places, file);
      if (tag.tag !== "model") continue;
      for (const model of found) if (isXml(model)) await this.model(model);
    }
  }

  /** The paths, among the candidate folders, at which the file exists; an error if there is none. */
  async #find(
    { tag, path }: PlacedTag,
    attribute: string,
    places: readonly string[],
    file: string,
  ): Promise<readonly string[]> {
    const candidates = [...new Set(places.map((place) => resolve(place, file)))];
    const found: string[] = [];
    for (const candidate of candidates) if (await this.#read(candidate)) found.push(candidate);
    if (found.length > 0) return found;
    throw new DataError(
      "missing_file",
      `<${tag.tag} ${attribute}="${tag.attributes[attribute]}"> names a file that does not exist`,
      { where: `${path}:${tag.line}`, hint: `searched for ${candidates.join(", ")}` },
    );
  }

  async #read(path: string): Promise<boolean> {
    const key = virtual(path);
    if (this.files.has(key)) return true;
    await checkWithin(path);
    let bytes: Uint8Array;
    try {
      // Before reading: a file may be larger than the memory.
      const { size } = await stat(path);
      checkFileSize(path, size, this.#bytes + size);
      bytes = await readFile(path);
    } catch (error) {
      if (error instanceof DataError) throw error;
      const code = errorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return false;
      throw new DataError("unreadable_file", `cannot read ${path}: ${errorMessage(error)}`, {
        where: path,
        cause: error,
      });
    }
    rejectLfsPointer(bytes, path);
    this.files.set(key, bytes);
    this.#bytes += bytes.length;
    return true;
  }
}

/** The compiler folder of each element's files; models are relative to the file. */
const FOLDER_OF: Readonly<Record<string, "mesh" | "texture" | "">> = {
  mesh: "mesh",
  hfield: "mesh",
  skin: "mesh",
  flexcomp: "mesh",
  texture: "texture",
  model: "",
};

/** `file`, and the six sides of a cube map. */
const FILE = /^file(right|left|up|down|front|back)?$/;

/** If there are several compiler elements, the last value of each attribute applies; `assetdir` sets both folders. */
function foldersOf(tags: readonly PlacedTag[]): Folders {
  let folders: Folders = { mesh: "", texture: "", strip: false };
  for (const {
    tag: { tag, kind, attributes },
  } of tags) {
    if (tag !== "compiler" || kind === "close") continue;
    const { assetdir, meshdir = assetdir, texturedir = assetdir, strippath } = attributes;
    folders = {
      mesh: meshdir ?? folders.mesh,
      texture: texturedir ?? folders.texture,
      strip: strippath === undefined ? folders.strip : strippath === "true",
    };
  }
  return folders;
}

/** The text of an element with its content. */
function elementText(text: string, { tag, start }: MjcfTag): string {
  const range = elementsNamed(scanMjcf(text), tag).find((one) => one.start === start);
  return text.slice(start, range?.end ?? start);
}

function isXml(path: string): boolean {
  return /\.(xml|mjcf|urdf)$/i.test(path);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
