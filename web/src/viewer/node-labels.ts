import {
  CanvasTexture,
  CircleGeometry,
  Group,
  LinearFilter,
  Mesh,
  MeshBasicMaterial,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
} from "three";
import type { Point, Trace, ViewerTheme } from "./content.js";
import { BACKDROP, MARK } from "./palette.js";

/** Labels of the visited viewpoints, for graphs without scene geometry. */
export function nodeLabels(trace: Trace, theme: ViewerTheme): Group {
  const group = new Group();
  const seen = new Map<string, Point>();
  trace.nodes.forEach((node, index) => {
    const point = trace.points[index];
    if (node !== null && point && !seen.has(node)) seen.set(node, point);
  });
  for (const [name, [x, y, z]] of seen) {
    const disc = new Mesh(
      new CircleGeometry(0.16, 28).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({ color: trace.ghost ?? MARK.pathLast }),
    );
    disc.position.set(x, y + 0.02, z);
    const text = label(name.replaceAll("_", " "), theme);
    text.position.set(x, y + 0.05, z);
    group.add(disc, text);
  }
  return group;
}

/** Keeps the labels' size on the screen; `view` is the height of the view in metres, or that at a distance of 1 m. */
export function scaleLabels(labels: Group, view: number): void {
  labels.traverse((object) => {
    const aspect: unknown = object.userData.aspect;
    if (object instanceof Sprite && typeof aspect === "number")
      object.scale.set(HEIGHT * view * aspect, HEIGHT * view, 1);
  });
}

/** Height of a label as a share of the view's height. */
const HEIGHT = 0.034;
const PIXELS = 44;

function label(text: string, theme: ViewerTheme): Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const font = `600 ${PIXELS * 0.6}px system-ui, sans-serif`;
  if (context) context.font = font;
  const width = Math.ceil((context?.measureText(text).width ?? 0) + PIXELS * 0.7);
  [canvas.width, canvas.height] = [width, PIXELS];
  if (context) {
    context.font = font;
    context.fillStyle = BACKDROP[theme].plate;
    context.beginPath();
    context.roundRect(0, 0, width, PIXELS, PIXELS / 2);
    context.fill();
    context.fillStyle = BACKDROP[theme].text;
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillText(text, width / 2, PIXELS / 2 + 1);
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  map.minFilter = LinearFilter;
  const sprite = new Sprite(
    new SpriteMaterial({ map, depthTest: false, transparent: true, sizeAttenuation: false }),
  );
  sprite.userData.aspect = width / PIXELS;
  // Above its viewpoint on the screen, from any direction.
  sprite.center.set(0.5, -0.55);
  sprite.renderOrder = 5;
  return sprite;
}
