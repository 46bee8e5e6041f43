import { join } from "node:path";
import { DataError } from "../../core/errors.js";
import type { GraphSource, NavGraph } from "../../core/scene/graph.js";
import { isGenerated, resolveScene } from "../scenes.js";
import { exists } from "../source.js";

/** What is known about a scene without loading it. */
interface SceneFacts {
  readonly graph?: NavGraph | undefined;
  readonly graphProblem?: string | undefined;
  readonly sceneFound?: boolean | undefined;
}

/** Looks up each scene once. */
export class SceneLookup {
  readonly #facts = new Map<string, Promise<SceneFacts>>();

  constructor(
    readonly graphs: GraphSource | undefined,
    readonly dataRoot: string | undefined,
  ) {}

  of(sceneId: string): Promise<SceneFacts> {
    const known = this.#facts.get(sceneId);
    if (known) return known;
    const facts = this.#look(sceneId);
    this.#facts.set(sceneId, facts);
    return facts;
  }

  async #look(sceneId: string): Promise<SceneFacts> {
    const sceneFound =
      this.dataRoot === undefined ? undefined : await found(sceneId, this.dataRoot);
    try {
      return { graph: await this.graphs?.graph(sceneId), sceneFound };
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      return { graphProblem: error.message, sceneFound };
    }
  }
}

async function found(sceneId: string, dataRoot: string): Promise<boolean> {
  if (isGenerated(sceneId)) return true;
  if ((await resolveScene(sceneId, dataRoot)) !== undefined) return true;
  // Graph datasets name only the scan; its mesh is in a folder of the same name.
  if (/[/.]/.test(sceneId)) return false;
  const file = join(sceneId, `${sceneId}.glb`);
  const places = [file, join("mp3d", file), join("scene_datasets", "mp3d", file), `${sceneId}.glb`];
  for (const place of places) if (await exists(join(dataRoot, place))) return true;
  return false;
}
