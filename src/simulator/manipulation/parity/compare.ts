import { join } from "node:path";
import { type DepthError, depthError, labelAgreement } from "../../../stats/image/agreement.js";
import { psnr } from "../../../stats/image/psnr.js";
import { ssim } from "../../../stats/image/ssim.js";
import { OPAQUE } from "../../render/mujoco/transparent.js";
import { readMjcf } from "../mjcf/files.js";
import { Physics } from "../physics/physics.js";
import { MujocoScene } from "../visual/mujoco-scene.js";
import { type ReferenceState, readReferenceFrame, readReferenceState } from "./reference.js";

/** How far an image of ours is from MuJoCo's. */
export interface FrameParity {
  readonly psnrDb: number;
  /** Mean of the three channels. */
  readonly ssim: number;
  /** Share of pixels, 0 to 1, that show the same geom or the background in both. */
  readonly segmentation: number;
  /** The same by body. Rounding decides which of two coplanar geoms of a body is in front. */
  readonly bodies: number;
  /** Error of the depth at pixels that show the same opaque geom. */
  readonly depth: DepthError;
  /** Error of the depth at pixels that show the same transparent geom. */
  readonly transparentDepth: DepthError;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/**
 * The model and state of a folder with MuJoCo's own frames, drawn by our renderer. Its memory is not garbage-collected:
 * the owner calls `dispose`.
 */
export class ReferenceWorld {
  readonly state: ReferenceState;
  readonly #folder: string;
  readonly #physics: Physics;
  readonly #scene: MujocoScene;

  private constructor(folder: string, state: ReferenceState, physics: Physics) {
    this.#folder = folder;
    this.state = state;
    this.#physics = physics;
    const { geom_groups: geomGroups, site_groups: siteGroups } = state;
    this.#scene = new MujocoScene(physics, { geomGroups, siteGroups });
  }

  static async open(folder: string): Promise<ReferenceWorld> {
    const state = await readReferenceState(folder);
    const { main, files } = await readMjcf(join(folder, "model.xml"));
    const physics = await Physics.create({ path: main }, { files, where: folder });
    physics.setPositions(state.qpos);
    physics.forward();
    return new ReferenceWorld(folder, state, physics);
  }

  /** The colour image of a camera. */
  draw(camera: string): Uint8Array {
    return this.#scene.render(camera, this.state, { rgb: true }).rgb ?? new Uint8Array();
  }

  /** Compares all images of a camera with MuJoCo's. */
  async compare(camera: string): Promise<FrameParity> {
    const theirs = await readReferenceFrame(this.#folder, camera, this.state);
    const ours = this.draw(camera);
    // MuJoCo's segmentation and depth have no sites and skins.
    const bare = new MujocoScene(this.#physics, {
      geomGroups: this.state.geom_groups,
      siteGroups: [],
      skinGroups: [],
    });
    const { geoms = new Int32Array(), depth = new Float32Array() } = bare.render(
      camera,
      this.state,
      { depth: true, geoms: true },
    );
    const known = this.#physics.geoms();
    const isClear = known.map(({ rgba }) => rgba[3] < OPAQUE);
    const bodiesIn = (labels: Int32Array) => labels.map((geom) => known[geom]?.body ?? -1);
    const errors = (clear: boolean) =>
      depthError(depth, theirs.depth, (i) => {
        const geom = geoms[i] as number;
        return geom === theirs.geoms[i] && isClear[geom] === clear;
      });
    return {
      psnrDb: psnr(ours, theirs.rgb),
      ssim: ssim(ours, theirs.rgb, this.state),
      segmentation: labelAgreement(geoms, theirs.geoms),
      bodies: labelAgreement(bodiesIn(geoms), bodiesIn(theirs.geoms)),
      depth: errors(false),
      transparentDepth: errors(true),
      ours,
      theirs: theirs.rgb,
    };
  }

  dispose(): void {
    this.#physics.dispose();
  }
}
