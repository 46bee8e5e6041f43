import { type Box3, Group, type Object3D, Plane, Vector3 } from "three";
import type { PoseTrack } from "../../../src/server/view/documents.js";
import { Actor } from "./actor.js";
import { Bodies, decodeTrack, extentOfBodies, movingBodies } from "./bodies.js";
import { CameraRig, type Followed } from "./cameras.js";
import type { CameraMode, ViewerContent, ViewerTheme } from "./content.js";
import { goalMarks, startMark } from "./marks.js";
import { cutawayModel, loadModel, type Model, manipulationModel } from "./model.js";
import { nodeLabels, scaleLabels } from "./node-labels.js";
import { BACKDROP } from "./palette.js";
import { referenceLine } from "./path-line.js";
import { release } from "./release.js";
import { makeRenderer } from "./renderer.js";
import { SeeThrough } from "./see-through.js";
import { extentOf, Stage } from "./stage.js";

export interface Viewer {
  /** Shows a glb around the content; rejects if it cannot be loaded. */
  loadModel(url: string): Promise<void>;
  /** Moves the glb's bodies, with one track per trace; call after loadModel. */
  setTracks(tracks: readonly PoseTrack[]): void;
  /** Record index, may be fractional. `jump` moves the camera immediately. */
  setCursor(at: number, jump: boolean): void;
  setCamera(mode: CameraMode): void;
  /** Height of the cut in metres above the robot's base; null: no cut. */
  setCut(height: number | null): void;
  setTheme(theme: ViewerTheme): void;
  setSize(width: number, height: number): void;
  dispose(): void;
}

/** Pixel ratio during playback with software rendering; full resolution follows after a pause. */
const COARSE = 0.6;
const SHARPEN_MS = 700;

export interface ViewerOptions {
  readonly content: ViewerContent;
  readonly theme: ViewerTheme;
  readonly camera: CameraMode;
}

/**
 * Draws an episode on a canvas, only when something has changed. Throws NoWebglError if WebGL 2 is not available.
 */
export function createViewer(canvas: HTMLCanvasElement, options: ViewerOptions): Viewer {
  const { renderer, software } = makeRenderer(canvas);
  return new EpisodeViewer(canvas, renderer, software, options);
}

type Renderer = ReturnType<typeof makeRenderer>["renderer"];

class EpisodeViewer implements Viewer {
  private readonly stage: Stage;
  private readonly rig: CameraRig;
  private readonly actors: readonly Actor[];
  private readonly plane = new Plane(new Vector3(0, -1, 0), 0);
  private readonly seeThrough = new SeeThrough();
  private readonly content: ViewerContent;
  private extent: Box3;
  private labels = new Group();
  private model: Model | null = null;
  private bodies: readonly Bodies[] = [];
  private clones: readonly Object3D[] = [];
  private theme: ViewerTheme;
  private cut: number | null = null;
  private cursor = 0;
  private jump = true;
  private frame = 0;
  private disposed = false;
  private sharpening: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly renderer: Renderer,
    private readonly software: boolean,
    { content, theme, camera }: ViewerOptions,
  ) {
    this.content = content;
    this.theme = theme;
    this.stage = new Stage(theme);
    this.rig = new CameraRig(canvas, this.invalidate);
    this.actors = content.traces.map((trace) => new Actor(trace));
    this.extent = extentOf(content);
    this.addMarks();
    this.stage.setGrid(this.extent);
    this.rig.setBox(this.extent, this.isManipulation() ? "table" : "building");
    this.setCamera(camera);
    canvas.addEventListener("webglcontextrestored", this.invalidate);
  }

  async loadModel(url: string): Promise<void> {
    const root = await loadModel(url);
    if (this.disposed) {
      release(root);
      return;
    }
    const hand = this.isManipulation();
    const isBuilding = this.content.traces.some(({ kind }) => kind === "body");
    this.model = isBuilding
      ? cutawayModel(root, this.plane, this.seeThrough)
      : manipulationModel(root);
    this.model.setCutColor(BACKDROP[this.theme].cut);
    this.stage.scene.add(root);
    // A graph has no floor.
    this.stage.setGrid(isBuilding || hand ? null : this.model.box);
    if (hand) this.frameTable();
    else this.rig.setBox(lowered(this.model.box), "building");
    this.jump = true;
    this.invalidate();
  }

  setTracks(documents: readonly PoseTrack[]): void {
    if (!this.model) return;
    const { root } = this.model;
    const tracks = documents.map(decodeTrack);
    const moving = movingBodies(tracks);
    this.clones = tracks.slice(1).map(() => root.clone(true));
    this.bodies = tracks.map((track, index) => {
      const bodies = new Bodies(this.clones[index - 1] ?? root, track);
      const ghost = this.content.traces[index]?.ghost;
      if (ghost) bodies.tint(ghost, index === 0 ? 0.9 : 0.6, moving);
      if (index > 0) bodies.keepOnly(moving);
      return bodies;
    });
    for (const clone of this.clones) this.stage.scene.add(clone);
    for (const actor of this.actors) actor.hideStandIns();
    // Without a hand in the records, follow the moving bodies.
    if (this.isManipulation() && !this.followed()) {
      this.extent = extentOfBodies(tracks, moving.size > 0 ? moving : new Set(tracks[0]?.bodies));
      this.frameTable();
    }
    this.invalidate();
  }

  setCursor(at: number, jump: boolean): void {
    this.cursor = at;
    this.jump ||= jump;
    if (this.software && !jump) this.coarsen();
    this.invalidate();
  }

  setCamera(mode: CameraMode): void {
    this.rig.setMode(mode);
    this.invalidate();
  }

  setCut(height: number | null): void {
    this.cut = height;
    this.invalidate();
  }

  setTheme(theme: ViewerTheme): void {
    this.theme = theme;
    this.stage.setTheme(theme);
    this.model?.setCutColor(BACKDROP[theme].cut);
    this.relabel();
    this.invalidate();
  }

  setSize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.rig.setAspect(width / Math.max(1, height));
    this.jump = true;
    this.invalidate();
  }

  dispose(): void {
    this.disposed = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.sharpening);
    this.canvas.removeEventListener("webglcontextrestored", this.invalidate);
    this.rig.dispose();
    this.stage.dispose();
    this.renderer.dispose();
    // Browsers limit the number of contexts per page and free them late.
    this.renderer.forceContextLoss();
  }

  private frameTable(): void {
    if (!this.software) this.stage.castShadows(this.extent);
    this.rig.setBox(this.extent, "table");
  }

  private coarsen(): void {
    if (this.renderer.getPixelRatio() !== COARSE) this.renderer.setPixelRatio(COARSE);
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => {
      this.renderer.setPixelRatio(1);
      this.invalidate();
    }, SHARPEN_MS);
  }

  private readonly invalidate = (): void => {
    if (this.frame !== 0 || this.disposed) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  };

  private draw(): void {
    for (const actor of this.actors) actor.setCursor(this.cursor);
    for (const bodies of this.bodies) bodies.setCursor(this.cursor);
    const followed = this.followed();
    this.plane.constant = this.cut === null ? 1e6 : (followed?.position.y ?? 0) + this.cut;
    this.model?.setFromAbove(this.rig.mode === "top");
    const hidden = followed?.kind === "body" && this.rig.mode !== "top";
    this.seeThrough.setFocus(
      hidden ? followed.position.clone().setY(followed.position.y + 0.5) : null,
    );
    const underway = this.rig.follow(followed, this.jump);
    this.jump = false;
    scaleLabels(this.labels, this.rig.viewHeight);
    this.renderer.shadowMap.needsUpdate = true;
    this.renderer.render(this.stage.scene, this.rig.camera);
    if (underway) this.invalidate();
  }

  /** The midpoint of two ghosts, or the robot's position. */
  private followed(): Followed | null {
    const shown = this.actors.filter(({ trace }) => trace.points.length > 0);
    const first = shown[0];
    if (!first) return null;
    const position = new Vector3();
    for (const actor of shown) position.addScaledVector(actor.position, 1 / shown.length);
    return { position, heading: first.heading, kind: first.trace.kind };
  }

  private isManipulation(): boolean {
    return this.content.traces.every(({ kind }) => kind === "hand");
  }

  private addMarks(): void {
    const { traces, reference, goals, goalRadius } = this.content;
    const size = this.isManipulation() ? 0.03 : 0.24;
    const { scene } = this.stage;
    scene.add(goalMarks(goals, goalRadius, size), referenceLine(reference));
    for (const { trace, group } of this.actors) {
      const [start] = trace.points;
      if (start && trace.kind !== "hand") scene.add(startMark(start, size));
      scene.add(group);
    }
    if (traces.some(({ kind }) => kind === "graph")) this.relabel();
  }

  private relabel(): void {
    release(this.labels);
    this.labels = new Group();
    for (const trace of this.content.traces) {
      if (trace.kind === "graph") this.labels.add(nodeLabels(trace, this.theme));
    }
    this.stage.scene.add(this.labels);
  }
}

/** The box of a building below the default cut. */
function lowered(box: Box3): Box3 {
  const out = box.clone();
  out.max.y = Math.min(out.max.y, out.min.y + 1.6);
  return out;
}
