import {
  type Box3,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  Sphere,
  TOUCH,
  Vector3,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { CameraMode } from "./content.js";

/** What the following camera keeps in view. */
export interface Followed {
  readonly position: Vector3;
  readonly heading: number;
  readonly kind: "body" | "hand" | "graph";
}

/** Share of the way to where it should be that the following camera goes in a frame. */
const EASE = 0.18;

/** Three ways to look: behind the robot, wherever the visitor turns, and straight down without perspective. */
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
  private settled = false;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.orbit = new OrbitControls(this.perspective, canvas);
    this.orbit.maxPolarAngle = Math.PI * 0.49;
    this.map = new OrbitControls(this.orthographic, canvas);
    this.map.enableRotate = false;
    this.map.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.map.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    for (const controls of [this.orbit, this.map]) {
      // Without a loop that runs all the time there is nothing to glide on.
      controls.enableDamping = false;
      controls.addEventListener("change", changed);
    }
    this.setMode("follow");
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.mode === "top" ? this.orthographic : this.perspective;
  }

  setMode(mode: CameraMode): void {
    // The free camera begins where the following one was.
    if (mode === "free" && this.mode === "follow" && this.settled) {
      this.orbit.target.copy(this.lookNow);
    } else if (mode === "free") this.frame();
    this.mode = mode;
    this.orbit.enabled = mode === "free";
    this.map.enabled = mode === "top";
    if (mode === "follow") this.settled = false;
    if (mode === "free") this.orbit.update();
  }

  /** Shows all of it, from above and aside. */
  setBox(box: Box3): void {
    this.box = box;
    this.frame();
    this.fitTop();
  }

  setAspect(aspect: number): void {
    this.aspect = aspect;
    this.perspective.aspect = aspect;
    this.perspective.updateProjectionMatrix();
    this.fitTop();
  }

  /** True while the camera is still on its way. */
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
      // Robots of the workplaces stand at the origin and work along +x: seen from ahead and aside.
      this.look.copy(position).add(new Vector3(-0.12, -0.05, 0));
      this.eye.copy(position).add(new Vector3(0.75, 0.55, 0.95));
      return;
    }
    const [x, z] = [-Math.sin(heading), -Math.cos(heading)];
    const far = kind === "graph" ? 1.7 : 1;
    // A tall window shows less to the sides: step back.
    const back = (this.aspect < 1 ? 3.4 : 2.5) * far;
    this.eye.copy(position).add(new Vector3(-x * back, 2.7 * far, -z * back));
    this.look.copy(position).add(new Vector3(x * 0.9, 0.3, z * 0.9));
  }

  private frame(): void {
    if (!this.box) return;
    const { center, radius } = this.box.getBoundingSphere(new Sphere());
    const narrow = Math.min(1, this.aspect);
    const distance = radius / Math.sin(((this.perspective.fov / 2) * Math.PI) / 180) / narrow;
    this.orbit.target.copy(center);
    this.perspective.position
      .copy(center)
      .add(new Vector3(0.45, 0.85, 0.65).normalize().multiplyScalar(distance * 0.82));
    this.perspective.lookAt(center);
    this.orbit.update();
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
    // Straight down, -z at the top as on the maps; a hair aside, since "up" must not be the line of sight.
    camera.position.z += 1e-3;
    camera.zoom = 1;
    camera.lookAt(center);
    camera.updateProjectionMatrix();
    this.map.update();
  }
}
