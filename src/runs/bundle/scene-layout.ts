import { basename, dirname, isAbsolute, posix, relative, sep } from "node:path";
import { normaliseSceneId } from "../../dataset/scenes.js";
import { isScan } from "../../simulator/scenes/orientation.js";
import { type BundleManifest, PARTS } from "./manifest.js";
import type { SceneNeeds } from "./scene-files.js";

/** A scene of a task with the files it needs. */
export interface NeededScene extends SceneNeeds {
  readonly task: string;
  readonly sceneId: string;
  /** The task's scene folder. */
  readonly root: string;
}

/** A file and its path in the bundle. */
export interface PlacedFile {
  readonly from: string;
  readonly to: string;
}

export interface SceneLayout {
  readonly places: BundleManifest["places"];
  /** Undefined if the files share no close enough parent folder. */
  filesOf(scene: NeededScene): readonly PlacedFile[] | undefined;
}

/**
 * Assigns scene files to paths in the bundle. Each scene folder becomes one folder in the bundle, with the same
 * relative paths between scene ids, files and referenced files. Parent folders are kept as far as needed: a scene
 * may use files next to or above the folder, and the name of a parent folder may determine the file's up
 * axis.
 */
export function layoutScenes(needed: readonly NeededScene[]): SceneLayout {
  const [roots, graphs] = [new Map<string, SceneFolder>(), new Map<string, string>()];
  const places: Record<string, { scenes?: string; connectivity?: string }> = {};
  for (const one of needed) {
    if (one.scene) {
      const sceneFolder = roots.get(one.root) ?? new SceneFolder(one.root, roots.size + 1);
      roots.set(one.root, sceneFolder);
      sceneFolder.add(one);
    }
    if (one.graph !== undefined) {
      const folder = dirname(one.graph);
      const known = graphs.get(folder) ?? `${PARTS.graphs}/${graphs.size + 1}`;
      graphs.set(folder, known);
    }
  }
  for (const { task, root, scene, graph } of needed) {
    const sceneFolder = scene && roots.get(root);
    const folder = graph === undefined ? undefined : graphs.get(dirname(graph));
    places[task] = {
      ...places[task],
      ...(sceneFolder ? { scenes: sceneFolder.path } : {}),
      ...(folder === undefined ? {} : { connectivity: folder }),
    };
  }
  return {
    places,
    filesOf(one) {
      const { graph, scene, root } = one;
      const folder = graph === undefined ? undefined : graphs.get(dirname(graph));
      const graphFiles =
        graph === undefined ? [] : [{ from: graph, to: `${folder}/${basename(graph)}` }];
      const own = scene ? roots.get(root)?.place(one) : [];
      return own && [...own, ...graphFiles];
    },
  };
}

/** The files of one scene folder. */
class SceneFolder {
  readonly #base: string;
  /** Names of its parent folders, innermost first. */
  readonly #above: readonly string[];
  /** Number of parent folders kept. */
  #depth = 1;

  constructor(root: string, number: number) {
    this.#base = `${PARTS.scenes}/${number}`;
    this.#above = root
      .split(sep)
      .filter((name) => name !== "" && !name.endsWith(":"))
      .reverse();
  }

  get path(): string {
    return [this.#base, ...this.#above.slice(0, this.#depth).reverse()].join("/");
  }

  add(scene: NeededScene): void {
    while (!this.place(scene) && this.#depth < this.#above.length) this.#depth++;
  }

  place(scene: NeededScene): PlacedFile[] | undefined {
    const placed = this.#placed(scene);
    const fits = placed.every(
      ({ from, to }) =>
        to.startsWith(`${this.#base}/`) &&
        isScan(scene.sceneId, from) === isScan(scene.sceneId, `/${to}`),
    );
    return fits ? placed : undefined;
  }

  #placed({ sceneId, scene }: NeededScene): PlacedFile[] {
    if (!scene) return [];
    const id = normaliseSceneId(sceneId).replaceAll("\\", "/");
    const own = posix.join(this.path, id);
    return scene.all.map((from) => {
      const way = relative(dirname(scene.file), from);
      const to = isAbsolute(way) ? "" : posix.join(posix.dirname(own), way.replaceAll(sep, "/"));
      return { from, to };
    });
  }
}
