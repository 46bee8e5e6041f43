import {
  Box2,
  type Box3,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  TOUCH,
  Vector2,
  Vector3,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { CameraMode } from "./content.js";

/** The target of the follow camera. */
export interface Followed {
  readonly position: Vector3;
  readonly heading: number;
  readonly kind: "body" | "hand" | "graph";
}

/** The share of the remaining distance that the follow camera moves per frame. */
const EASE = 0.18;

/** The share of the view that a framed scene fills. */
const FILLED = 0.9;

/** The three cameras: behind the robot, free, and top-down without perspective. */
export class CameraRig {
  readonly perspective = new PerspectiveCamera(50, 1, 0.02, 200);
  readonly orthographic = new OrthographicCamera(-5, 5, 5, -5, 0.01, 400);
  mode: CameraMode = "follow";
  private readonly orbit: OrbitControls;
  private readonly map: OrbitControls;
  private readonly eye = new Vector3();
  private readonly look = new Vector3();
  private readonly lookNow = new Vector3();
  private aspect = 1;
  private box: Box3 | null = null;
  private direction = new Vector3();
  private settled = false;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.orbit = new OrbitControls(this.perspective, canvas);
    this.orbit.maxPolarAngle = Math.PI * 0.49;
    this.map = new OrbitControls(this.orthographic, canvas);
    this.map.enableRotate = false;
    this.map.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.map.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    for (const controls of [this.orbit, this.map]) {
      // No damping, because frames are only drawn on changes.
      controls.enableDamping = false;
      controls.addEventListener("change", changed);
    }
    this.setMode("follow");
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.mode === "top" ? this.orthographic : this.perspective;
  }

  /** Height of the view in metres; for the perspective camera, at a distance of 1 m. */
  get viewHeight(): number {
    if (this.mode !== "top") return 2 * Math.tan((this.perspective.fov * Math.PI) / 360);
    return (this.orthographic.top - this.orthographic.bottom) / this.orthographic.zoom;
  }

  setMode(mode: CameraMode): void {
    // The free camera starts at the pose of the follow camera.
    if (mode === "free" && this.mode === "follow" && this.settled) {
      this.orbit.target.copy(this.lookNow);
    } else if (mode === "free") this.frame();
    this.mode = mode;
    this.orbit.enabled = mode === "free";
    this.map.enabled = mode === "top";
    if (mode === "follow") this.settled = false;
    if (mode === "free") this.orbit.update();
  }

  /** Frames the whole box from an oblique angle: a building from its longer side, a table from the front of the robot. */
  setBox(box: Box3, of: "building" | "table"): void {
    this.box = box;
    const { x, z } = box.getSize(new Vector3());
    if (of === "table") this.direction.set(0.75, 0.65, 0.8);
    else if (x >= z) this.direction.set(0.22, 0.95, 0.75);
    else this.direction.set(0.75, 0.95, 0.22);
    this.direction.normalize();
    this.frame();
    this.fitTop();
  }

  setAspect(aspect: number): void {
    this.aspect = aspect;
    this.perspective.aspect = aspect;
    this.perspective.updateProjectionMatrix();
    this.fitTop();
  }

  /** True while the camera is still moving. */
  follow(followed: Followed | null, jump: boolean): boolean {
    if (this.mode !== "follow" || !followed) return false;
    this.aim(followed);
    if (jump || !this.settled) {
      this.perspective.position.copy(this.eye);
      this.lookNow.copy(this.look);
      this.settled = true;
    } else {
      this.perspective.position.lerp(this.eye, EASE);
      this.lookNow.lerp(this.look, EASE);
    }
    this.perspective.lookAt(this.lookNow);
    return this.perspective.position.distanceTo(this.eye) > 0.004;
  }

  dispose(): void {
    this.orbit.dispose();
    this.map.dispose();
  }

  private aim({ position, heading, kind }: Followed): void {
    if (kind === "hand") {
      // Manipulation robots stand at the origin and face +x: look from the front and the side.
      this.look.copy(position).add(new Vector3(-0.12, -0.05, 0));
      this.eye.copy(position).add(new Vector3(0.75, 0.55, 0.95));
      return;
    }
    const [x, z] = [-Math.sin(heading), -Math.cos(heading)];
    const far = kind === "graph" ? 1.7 : 1;
    // A tall window shows less to the sides, so move back.
    const back = (this.aspect < 1 ? 3.4 : 2.5) * far;
    this.eye.copy(position).add(new Vector3(-x * back, 2.7 * far, -z * back));
    this.look.copy(position).add(new Vector3(x * 0.9, 0.3, z * 0.9));
  }

  /** The smallest distance at which the whole box is visible. */
  private frame(): void {
    if (!this.box) return;
    const size = this.box.getSize(new Vector3());
    const target = this.box.getCenter(new Vector3());
    let distance = size.length();
    const { perspective: camera } = this;
    const right = new Vector3();
    const up = new Vector3();
    for (let round = 0; round < 6; round += 1) {
      camera.position.copy(target).addScaledVector(this.direction, distance);
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const { min, max } = this.onScreen(this.box);
      const half = Math.tan(((camera.fov / 2) * Math.PI) / 180) * distance;
      camera.matrixWorld.extractBasis(right, up, new Vector3());
      target.addScaledVector(right, ((min.x + max.x) / 2) * half * this.aspect);
      target.addScaledVector(up, ((min.y + max.y) / 2) * half);
      distance *= Math.max(max.x - min.x, max.y - min.y) / 2 / FILLED;
    }
    this.orbit.target.copy(target);
    this.orbit.update();
  }

  private onScreen({ min, max }: Box3): Box2 {
    const bounds = new Box2();
    const corner = new Vector3();
    for (const x of [min.x, max.x])
      for (const y of [min.y, max.y])
        for (const z of [min.z, max.z]) {
          corner.set(x, y, z).project(this.perspective);
          bounds.expandByPoint(new Vector2(corner.x, corner.y));
        }
    return bounds;
  }

  private fitTop(): void {
    if (!this.box) return;
    const size = this.box.getSize(new Vector3());
    const center = this.box.getCenter(new Vector3());
    const half = (Math.max(size.z, size.x / this.aspect) / 2) * 1.06;
    const { orthographic: camera } = this;
    [camera.left, camera.right] = [-half * this.aspect, half * this.aspect];
    [camera.top, camera.bottom] = [half, -half];
    this.map.target.copy(center);
    camera.position.set(center.x, this.box.max.y + 50, center.z);
    // Straight down with -z at the top as on the maps; slightly tilted, because "up" must not equal the view direction.
    camera.position.z += 1e-3;
    camera.zoom = 1;
    camera.lookAt(center);
    camera.updateProjectionMatrix();
    this.map.update();
  }
}
