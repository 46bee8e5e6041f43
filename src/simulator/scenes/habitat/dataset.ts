import { stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { DataError, show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import { checkWithin } from "../within.js";
import { type Attributes, readConfig, textOf } from "./config-file.js";
import { entries, expandGlob } from "./glob.js";

/** The sections of a `*.scene_dataset_config.json` and the ending of their configuration files. */
const ENDINGS = {
  stages: ".stage_config.json",
  objects: ".object_config.json",
  articulated_objects: ".ao_config.json",
  scene_instances: ".scene_instance.json",
  semantic_scene_descriptor_instances: ".semantic_config.json",
} as const;

export type Section = keyof typeof ENDINGS;

/**
 * Where data sets without a configuration keep their files: HSSD sorts objects by the first letter of their
 * name and has doors and windows in `openings`, parts of larger objects in `decomposed`; ReplicaCAD has
 * separate folders of configurations.
 */
const USUAL_LAYOUT: Attributes = {
  stages: layout(["stages", "configs/stages", "."], ".glb"),
  objects: layout(["objects", "objects/*", "objects/decomposed/*", "configs/objects"], ".glb"),
  articulated_objects: layout(["urdf", "urdf/*", "configs/urdf"], ".urdf"),
  scene_instances: layout(["scenes", "configs/scenes"]),
  semantic_scene_descriptor_instances: layout(["semantics", "semantics/scenes"]),
};

const NAME_OF_CONFIG = "%%CONFIG_NAME_AS_ASSET_FILENAME%%";

/** Maximum number of handles that an error lists. */
const LISTED = 8;

/** A stage, object or articulated object of a data set, with all its attributes. */
export interface Template {
  readonly handle: string;
  readonly attributes: Attributes;
  /** The file that errors name: the template's configuration, else the data set's, else its asset. */
  readonly file: string;
  /** Relative paths in the attributes start here. */
  readonly folder: string;
  /** The configurations that were read. */
  readonly configs: readonly string[];
}

interface Listing {
  /** In habitat-sim's order. */
  readonly entries: readonly Entry[];
  /** Entries, keyed by whole handle, by handle without its ending, and by name without folders; all in lower case. */
  readonly byName: ReadonlyMap<string, Entry>;
}

interface Entry {
  readonly handle: string;
  readonly file?: string;
  /** Copied from this entry, then changed by `attributes`. */
  readonly original?: Entry;
  readonly attributes?: Attributes;
}

/**
 * A Habitat data set: the stages, objects, articulated objects, scenes and navmeshes that a
 * `*.scene_dataset_config.json` lists, or those of a folder in the usual layout. Files are listed on first
 * use, and configurations are read when a scene refers to them: HSSD has 18,000 objects.
 */
export class SceneDataset {
  readonly #listings = new Map<Section, Promise<Listing>>();
  readonly #warnings = new Set<string>();

  private constructor(
    /** Every path in the configuration must stay in this folder. */
    readonly root: string,
    /** The `*.scene_dataset_config.json`, if there is one. */
    readonly config: string | undefined,
    private readonly json: Attributes,
  ) {}

  static async open(config: string): Promise<SceneDataset> {
    const json = await readConfig(config);
    if (json) return new SceneDataset(resolve(dirname(config)), config, withUsualPaths(json));
    throw new DataError("missing_dataset_config", "the data set's configuration does not exist", {
      where: config,
    });
  }

  /** The data set of a folder without a configuration. */
  static ofFolder(root: string): SceneDataset {
    return new SceneDataset(resolve(root), undefined, USUAL_LAYOUT);
  }

  /** What was ignored while the files were listed. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** The names of all templates of a section, as scenes may use them. */
  async handles(section: Section): Promise<readonly string[]> {
    return (await this.#list(section)).entries.map(({ handle }) => handle);
  }

  /** The files that a section lists: assets and configurations. */
  async files(section: Section): Promise<readonly string[]> {
    return (await this.#list(section)).entries.flatMap(({ file }) => file ?? []);
  }

  /**
   * The template that a name in a scene refers to; undefined if there is none. As in habitat-sim, a handle
   * may be given in part: the first in alphabetical order that contains the name, in any case, is used. A
   * handle that is the whole name precedes it: HSSD has parts whose names begin with the name of the whole.
   */
  async find(section: Section, name: string): Promise<Template | undefined> {
    const { entries: all, byName } = await this.#list(section);
    const wanted = name.toLowerCase();
    const entry =
      all.find(({ handle }) => handle === name) ??
      byName.get(stemOf(wanted)) ??
      all.find(({ handle }) => handle.toLowerCase().includes(wanted));
    return entry && (await this.#template(section, entry));
  }

  /** Names the handles nearest to a wrong one, for errors. */
  async nearest(section: Section, name: string): Promise<string> {
    const names = (await this.handles(section)).map(simpleName);
    if (names.length <= LISTED) return suggestion(simpleName(name), names);
    const near = suggestion(simpleName(name), names);
    const first = near.startsWith("did you mean") ? `${near.slice(0, near.indexOf("?"))}? ` : "";
    return `${first}the data set has ${names.length}: ${names.slice(0, LISTED).join(", ")}, ...`;
  }

  /** Whether the configuration lists this navmesh or descriptor, and its file. */
  mapped(section: "navmesh_instances" | Section, handle: string): string | undefined {
    const map = this.json[section];
    const value = isRecord(map) && Object.hasOwn(map, handle) ? map[handle] : undefined;
    if (typeof value !== "string" || value === "") return undefined;
    return this.inside(resolve(this.root, value), value, this.config ?? this.root);
  }

  /** The attributes that every template of a section has unless it sets its own. */
  defaults(section: Section): Attributes {
    const found = this.json[section];
    const attributes = isRecord(found) ? found.default_attributes : undefined;
    return isRecord(attributes) ? attributes : {};
  }

  /** The file that an attribute of a template names; undefined if it names none. */
  async path(template: Template, key: string): Promise<string | undefined> {
    const value = textOf(template.attributes, key, template.file);
    if (value === undefined) return undefined;
    const named = value.replaceAll(NAME_OF_CONFIG, simpleName(template.handle));
    const path = this.inside(resolve(template.folder, named), value, template.file);
    // A name made from the template's own is a convention: the file is optional.
    return named !== value && !(await isFile(path)) ? undefined : path;
  }

  /** @throws DataError if a path in a configuration leaves the data set's folder */
  inside(path: string, written: string, where: string): string {
    if (path === this.root || path.startsWith(this.root + sep)) return path;
    throw new DataError(
      "outside_dataset",
      `the path ${show(written)} leads out of the data set's folder`,
      {
        where,
        hint: `paths in Habitat's configurations must stay below ${this.root}: copy the file there, or put the data set's configuration into a folder above both`,
      },
    );
  }

  #list(section: Section): Promise<Listing> {
    const known = this.#listings.get(section) ?? this.#read(section).then(listingOf);
    this.#listings.set(section, known);
    return known;
  }

  async #read(section: Section): Promise<readonly Entry[]> {
    const found = this.json[section];
    if (!isRecord(found)) return [];
    const files = new Map<string, Entry>();
    for (const [ending, patterns] of pathsOf(found.paths)) {
      const wanted = ending.includes(".json") ? ENDINGS[section] : ending;
      for (const pattern of patterns) {
        for (const file of await this.#files(pattern, wanted)) {
          files.set(file, { handle: relative(this.root, file).replaceAll(sep, "/"), file });
        }
      }
    }
    // Without a configuration, an asset that has one of its own is listed once, by its configuration.
    const list = [...files.values()].filter(
      ({ file = "" }) =>
        this.config !== undefined ||
        file.endsWith(ENDINGS[section]) ||
        !files.has(file.replace(/\.[^./\\]+$/, ENDINGS[section])),
    );
    for (const config of Array.isArray(found.configs) ? (found.configs as unknown[]) : []) {
      if (!isRecord(config) || !isRecord(config.attributes)) continue;
      const { original_file: source, template_handle: handle, attributes } = config;
      const original =
        typeof source === "string"
          ? sorted(list).find((entry) => entry.handle.includes(source))
          : undefined;
      if (typeof source === "string" && !original) {
        this.#warnings.add(`the ${section} configuration copies ${source}, which does not exist`);
        continue;
      }
      const name = typeof handle === "string" && handle !== "" ? handle : original?.handle;
      if (name === undefined) continue;
      list.push({ handle: name, attributes, ...(original && { original }) });
    }
    return sorted(list);
  }

  async #files(pattern: string, ending: string): Promise<string[]> {
    const out: string[] = [];
    if (!this.#stays(pattern)) {
      this.#warnings.add(`the path ${pattern} leads out of the data set's folder and is ignored`);
      return out;
    }
    for (const place of await expandGlob(this.root, pattern)) {
      const inside = await entries(place);
      out.push(...inside.filter((name) => name.endsWith(ending)).map((name) => join(place, name)));
      if (inside.length > 0) continue;
      // A pattern may name files; habitat-sim also accepts them without the ending.
      const file = place.endsWith(ending) ? place : `${place}${ending}`;
      if (await isFile(file)) out.push(file);
    }
    return out;
  }

  #stays(pattern: string): boolean {
    const path = resolve(this.root, pattern);
    return path === this.root || path.startsWith(this.root + sep);
  }

  async #template(section: Section, entry: Entry): Promise<Template> {
    const { file, original } = entry;
    const own = this.defaults(section);
    if (original) {
      const base = await this.#template(section, original);
      return {
        ...base,
        handle: entry.handle,
        attributes: { ...base.attributes, ...entry.attributes },
      };
    }
    if (file === undefined) {
      return {
        handle: entry.handle,
        attributes: { ...own, ...entry.attributes },
        file: this.config ?? this.root,
        folder: this.root,
        configs: [],
      };
    }
    const isConfig = file.endsWith(".json");
    const beside = isConfig ? file : file.replace(/(\.basis)?\.[^./\\]+$/, ENDINGS[section]);
    const read = await readConfig(beside);
    const asset = section === "articulated_objects" ? "urdf_filepath" : "render_asset";
    return {
      handle: entry.handle,
      attributes: { ...own, ...(!isConfig && { [asset]: basename(file) }), ...read },
      file: read ? beside : file,
      folder: dirname(file),
      configs: read ? [beside] : [],
    };
  }
}

async function isFile(path: string): Promise<boolean> {
  await checkWithin(path);
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** A handle without its folders and endings: `chair` of `objects/chair.object_config.json`. */
export function simpleName(handle: string): string {
  const name = handle.split("/").at(-1) ?? handle;
  return name.replace(/(\.[^.]*[A-Za-z_][^.]*){1,2}$/, "") || name;
}

function stemOf(handle: string): string {
  return handle.replace(/\.(\w+_config|scene_instance)\.json$|\.(glb|gltf|obj|urdf)$/, "");
}

function listingOf(entries: readonly Entry[]): Listing {
  const byName = new Map<string, Entry>();
  for (const key of [stemOf, (handle: string) => stemOf(handle).split("/").at(-1) ?? ""]) {
    for (const entry of entries) {
      const name = key(entry.handle.toLowerCase());
      if (!byName.has(name)) byName.set(name, entry);
    }
  }
  return { entries, byName };
}

/** Alphabetical by code unit, files before the handles of `configs`, as in habitat-sim's absolute paths. */
function sorted(list: readonly Entry[]): Entry[] {
  const key = ({ handle, file }: Entry) => (file === undefined ? handle : `/${handle}`);
  return [...list].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** `{".json": ["stages/*"]}`, or a plain list of folders with configurations, as in older data sets. */
function pathsOf(paths: unknown): [ending: string, patterns: string[]][] {
  const texts = (list: unknown): string[] =>
    Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  if (Array.isArray(paths)) return [[".json", texts(paths)]];
  return isRecord(paths) ? Object.entries(paths).map(([end, list]) => [end, texts(list)]) : [];
}

/** Sections that list neither paths nor configurations get the usual paths, so that their files are found. */
function withUsualPaths(json: Attributes): Attributes {
  const filled = Object.entries(USUAL_LAYOUT).map(([name, usual]) => {
    const own = json[name] ?? {};
    if (!isRecord(own) || !isRecord(usual)) return [name, own];
    const listed = own.paths !== undefined || own.configs !== undefined;
    return [name, listed ? own : { ...usual, ...own }];
  });
  return { ...json, ...Object.fromEntries(filled) };
}

function layout(folders: readonly string[], asset?: string): Attributes {
  return { paths: { ".json": folders, ...(asset !== undefined && { [asset]: folders }) } };
}
