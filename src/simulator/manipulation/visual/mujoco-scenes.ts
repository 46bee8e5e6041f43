import type { VisibleGroups } from "../physics/drawing/scene.js";
import { type DrawnModel, MujocoScene, type MujocoSceneOptions } from "./mujoco-scene.js";

/** A model as cameras see it that show different groups of its geoms, sites and skins. */
export class MujocoScenes {
  /** By the groups of the cameras that see them. A scene is made when the first of them draws. */
  readonly #scenes = new Map<string, MujocoScene>();

  constructor(
    private readonly model: DrawnModel,
    private readonly options: MujocoSceneOptions,
  ) {}

  /** @param groups of a camera that has its own; the others are those of the options */
  showing(groups: Partial<VisibleGroups> = {}): MujocoScene {
    const key = JSON.stringify(groups);
    let scene = this.#scenes.get(key);
    if (!scene) {
      scene = new MujocoScene(this.model, { ...this.options, ...groups });
      this.#scenes.set(key, scene);
    }
    return scene;
  }
}
