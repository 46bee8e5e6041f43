import type { SceneInstance } from "../scenes/model.js";
import type { StoreyContent } from "./content.js";
import { overlapOf } from "./labels.js";
import type { Panel } from "./layout.js";
import { receptacleInk } from "./marks.js";
import { INK, isSought, tintOf } from "./palette.js";
import type { Bounds } from "./plan.js";
import { px, text, textWidth } from "./svg.js";

const LABEL_CAP_PX = 5.5;
/** Boxes narrower than this are pictures on a wall, which are not drawn. */
const MIN_BOX_PX = 2;
/** Offset of a label below the star of a goal. */
const BELOW_STAR_PX = 15;

interface Box extends Bounds {
  readonly words: string;
  readonly tint: string;
  readonly isGoal: boolean;
  readonly receptacle: "start" | "goal" | undefined;
}

/** Draws boxes, the tallest on top, labelled if the name fits and nothing covers it. */
export function drawFurniture(storey: StoreyContent, panel: Panel): string {
  const boxes = storey.furniture
    .map((instance) => boxOf(instance, storey, panel))
    .filter(({ min, max }) => Math.min(max[0] - min[0], max[1] - min[1]) >= MIN_BOX_PX);
  const labels = boxes.map((box, i) => labelOf(box, boxes.slice(i + 1)));
  return boxes.map(drawBox).join("") + labels.join("");
}

function boxOf(instance: SceneInstance, storey: StoreyContent, panel: Panel): Box {
  const { min, max, category } = instance;
  const { start, goal } = storey.receptacles;
  return {
    words: category.replaceAll("_", " "),
    min: panel.project([min[0], min[2]]),
    max: panel.project([max[0], max[2]]),
    tint: tintOf(category),
    isGoal: storey.goalObjects.has(instance) && isSought(category),
    receptacle: instance === goal ? "goal" : instance === start ? "start" : undefined,
  };
}

function drawBox({ min: [x, y], max: [right, bottom], tint, isGoal, receptacle }: Box): string {
  const ink = receptacle
    ? `fill="${receptacle === "goal" ? INK.goalObject : tint}" ${receptacleInk(receptacle)}`
    : isGoal
      ? `fill="${INK.goalObject}" stroke="${INK.goal}" stroke-width="1.8"`
      : `fill="${tint}" stroke="${INK.furnitureEdge}" stroke-width=".7"`;
  return `<rect x="${px(x)}" y="${px(y)}" width="${px(right - x)}" height="${px(bottom - y)}" rx="1.5" ${ink}/>`;
}

/** A label along the box or upright; empty if it does not fit. */
function labelOf({ words, min, max, isGoal }: Box, above: readonly Box[]): string {
  const [width, height] = [max[0] - min[0], max[1] - min[1]];
  const long = textWidth(words, LABEL_CAP_PX) + 5;
  const tall = LABEL_CAP_PX + 5;
  const lower = isGoal ? BELOW_STAR_PX : 0;
  const [x, y] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2 + lower];
  const upright = long > width;
  const [w, h] = upright ? [tall, long] : [long, tall];
  const fits = w <= width && h + 2 * lower <= height;
  const box: Bounds = { min: [x - w / 2, y - h / 2], max: [x + w / 2, y + h / 2] };
  if (!fits || above.some((other) => overlapOf(box, other) > 0)) return "";
  const half = LABEL_CAP_PX / 2;
  return text(words, upright ? [x + half, y] : [x, y + half], {
    capPx: LABEL_CAP_PX,
    color: INK.faintText,
    anchor: "middle",
    weight: 14,
    upright,
  });
}
