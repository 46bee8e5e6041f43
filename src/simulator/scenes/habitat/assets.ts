import { extname } from "node:path";
import { DataError } from "../../../core/errors.js";
import type { SceneDraft } from "../draft.js";
import { readGltf } from "../gltf/gltf.js";
import { readObj } from "../obj/obj.js";
import { readStl } from "../stl.js";
import type { TextureBudget } from "../texture-budget.js";

type AssetReader = (file: string, textures: TextureBudget) => Promise<SceneDraft>;

const READERS: Readonly<Record<string, AssetReader>> = {
  ".glb": readGltf,
  ".gltf": readGltf,
  ".obj": readObj,
  ".stl": readStl,
};

/** Reads each asset of a scene once, even if it is placed several times. */
export class Assets {
  readonly #drafts = new Map<string, Promise<SceneDraft>>();
  readonly #read: string[] = [];

  /** @param warn is called once per asset and warning */
  constructor(
    private readonly textures: TextureBudget,
    private readonly warn: (text: string) => void,
  ) {}

  /** Every file that was read. */
  get files(): readonly string[] {
    return this.#read;
  }

  get(file: string): Promise<SceneDraft> {
    const known = this.#drafts.get(file) ?? this.#load(file);
    this.#drafts.set(file, known);
    return known;
  }

  async #load(file: string): Promise<SceneDraft> {
    const reader = READERS[extname(file).toLowerCase()];
    if (!reader) {
      throw new DataError(
        "unknown_scene_format",
        `cannot read an asset with the extension ${extname(file) || "(none)"}`,
        { where: file, hint: `use ${Object.keys(READERS).join(", ")}` },
      );
    }
    const draft = await reader(file, this.textures);
    for (const text of draft.warnings) this.warn(text);
    this.#read.push(...draft.files);
    return draft;
  }
}
