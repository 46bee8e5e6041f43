import { describe, expect, it } from "vitest";
import { mjcf, mjcfText } from "../../../../core/mjcf/element.js";
import { joinFragments } from "../../../../core/mjcf/fragment.js";
import { finger, gripperDrive } from "../../../../robots/parallel-gripper.js";
import { pad } from "../../../../robots/shapes.js";
import { STRETCH_GRIPPER } from "../../../../robots/stretch-servos.js";
import { COMPILER, optionElement } from "../../mjcf/compose.js";
import { Physics } from "../../physics/physics.js";
import { PLAIN_PHYSICS } from "../../world/randomisation.js";
import { yawQuat } from "../../world/yaw.js";
import { objectFragment } from "../object.js";
import { CATALOGUE_MODELS, catalogueModel } from "./catalogue.js";
import type { CatalogueModel } from "./model.js";
import { splitOf, UNSEEN_CATEGORIES } from "./splits.js";

const MODELS = CATALOGUE_MODELS.map(catalogueModel);
const CATEGORIES = [...new Set(MODELS.map(({ category }) => category))];

const FLOOR = mjcf("geom", { name: "floor", type: "plane", size: [1, 1, 0.1], condim: 4 });

function fragmentOf(model: CatalogueModel, friction = model.friction) {
  const { like, name, massKg, rgb, shape } = model;
  const sizeM = shape.sizeM;
  return objectFragment(
    {
      name: "object",
      shape: like,
      model: name,
      sizeM,
      position: [0, 0, sizeM[2] / 2],
      rotation_wxyz: [1, 0, 0, 0],
      massKg,
      friction,
      color: rgb,
    },
    PLAIN_PHYSICS,
    1.2,
  );
}

/** Stretch's fingers on a slide, at the grasp of a model: level, or from above at a rim. */
function handAt({ grasp, shape }: CatalogueModel) {
  const [x, y, z] = grasp.at;
  // The fingers close along the hand's y axis.
  const yaw = (grasp.closingYawsRad?.[0] ?? 0) - Math.PI / 2;
  const half = [0.018, 0.004, 0.014] as const;
  const size = grasp.kind === "rim" ? [half[2], half[1], half[0]] : [...half];
  // As far down as the pads' lower edge allows.
  const height = Math.max(z + shape.sizeM[2] / 2, (size[2] ?? 0) + 0.004);
  const fingers = [0, 1] as const;
  return {
    worldbody: [
      mjcf(
        "body",
        { name: "hand", pos: [x, y, height], quat: yawQuat(yaw) },
        mjcf("joint", { name: "lift", type: "slide", axis: [0, 0, 1], damping: 50 }),
        mjcf("geom", {
          type: "box",
          size: [0.02, 0.02, 0.01],
          pos: [0, 0, 0.25],
          mass: 0.3,
          contype: 0,
          conaffinity: 0,
        }),
        ...fingers.map((side) =>
          finger(
            `finger_${side}`,
            STRETCH_GRIPPER,
            side,
            [0, 0],
            [pad(`pad_${side}`, { pos: [0, side === 0 ? 0.004 : -0.004, 0], size })],
          ),
        ),
      ),
    ],
    actuator: [
      mjcf("position", { name: "lift", joint: "lift", kp: 4000, kv: 200, ctrlrange: [0, 0.3] }),
    ],
  };
}

/** Closes, lifts by 20 cm in a second, and holds for two and a half. */
async function lift(model: CatalogueModel, friction?: number) {
  const document = joinFragments(
    "grasp",
    [COMPILER, optionElement({ sleep: false })],
    [
      { worldbody: [FLOOR] },
      fragmentOf(model, friction),
      handAt(model),
      gripperDrive(STRETCH_GRIPPER),
    ],
  );
  const physics = await Physics.create(mjcfText(document));
  const inHand = () => physics.body("object").position[2] - physics.body("hand").position[2];
  try {
    physics.setControl(STRETCH_GRIPPER.actuator, STRETCH_GRIPPER.range[1]);
    physics.step(150);
    physics.setControl(STRETCH_GRIPPER.actuator, 0);
    physics.step(400);
    const before = inHand();
    for (let i = 1; i <= 40; i++) {
      physics.setControl("lift", 0.005 * i);
      physics.step(12);
    }
    physics.step(300);
    const lifted = inHand();
    physics.step(1000);
    return {
      riseM: physics.body("object").position[2] - model.shape.sizeM[2] / 2,
      sagM: before - lifted,
      slipM: Math.abs(inHand() - lifted),
      onFloor: physics.touching("object", "world"),
    };
  } finally {
    physics.dispose();
  }
}

describe("the catalogue of objects", () => {
  it("the catalogue of objects has 12 categories or more with at least four models, each of a colour of its own", () => {
    expect(CATEGORIES.length).toBeGreaterThanOrEqual(12);
    for (const category of CATEGORIES) {
      const colors = MODELS.filter((model) => model.category === category).map(
        ({ colorName }) => colorName,
      );
      expect(colors.length, category).toBeGreaterThanOrEqual(4);
      expect(new Set(colors).size, category).toBe(colors.length);
    }
  });

  it("the catalogue of objects keeps models of validation apart from those of training, and some categories from it", () => {
    for (const category of CATEGORIES) {
      const models = MODELS.filter((model) => model.category === category);
      const splits = models.map((_, i) => splitOf(category, i + 1));
      expect(splits).toContain("val");
      if (UNSEEN_CATEGORIES.includes(category)) expect(splits).not.toContain("train");
      else expect(splits.filter((split) => split === "train").length).toBeGreaterThanOrEqual(4);
    }
    expect(CATEGORIES).toEqual(expect.arrayContaining([...UNSEEN_CATEGORIES]));
  });

  it.each(MODELS)(
    "an object of the catalogue has plausible sizes and a grasp that fits the hand of Stretch: $name",
    (model) => {
      const { shape, massKg, friction, grasp } = model;
      for (const side of shape.sizeM) {
        expect(side).toBeGreaterThan(0.02);
        expect(side).toBeLessThan(0.25);
      }
      const volume = shape.sizeM[0] * shape.sizeM[1] * shape.sizeM[2];
      expect(massKg / volume).toBeGreaterThan(100);
      expect(massKg / volume).toBeLessThan(1500);
      expect(friction).toBeGreaterThan(0.4);
      expect(grasp.widthM).toBeLessThanOrEqual(2 * STRETCH_GRIPPER.range[1] - 0.012);
      grasp.at.forEach((x, k) => {
        expect(Math.abs(x)).toBeLessThanOrEqual((shape.sizeM[k] ?? 0) / 2);
      });
    },
  );

  it.each(MODELS)("an object of the catalogue stays in its bounding box: $name", ({ shape }) => {
    for (const part of shape.parts(shape.sizeM)) {
      const at = part.position ?? [0, 0, 0];
      const [a = 0, b = 0, c = 0] = part.size ?? [];
      const reach = {
        box: part.yawRad === undefined ? [a, b, c] : [0, 0, 0],
        sphere: [a, a, a],
        cylinder: [a, a, b],
        capsule: [a, a, a + b],
        mesh: [0, 0, 0],
      }[part.type];
      const points = part.mesh?.vertices ?? [reach, reach.map((x) => -x)];
      for (const point of points) {
        for (const k of [0, 1, 2] as const) {
          const end = Math.abs((at[k] ?? 0) + (point[k] ?? 0));
          // What is printed on a side is half a millimetre thick.
          expect(end).toBeLessThan(shape.sizeM[k] / 2 + 1.1e-3);
        }
      }
    }
  });

  it.each(CATEGORIES)(
    "an object of the catalogue is held by friction alone, squeezed and lifted: %s",
    async (category) => {
      const model = catalogueModel(`${category}/1`);
      const result = await lift(model);
      expect(result.onFloor).toBe(false);
      expect(result.riseM).toBeGreaterThan(0.17);
      // What is held at its rim sinks on the other side.
      expect(result.sagM).toBeLessThan(model.grasp.kind === "rim" ? 0.03 : 0.005);
      expect(result.slipM).toBeLessThan(0.002);
    },
  );

  it("an object of the catalogue slips out of the fingers if it has no friction", async () => {
    const result = await lift(catalogueModel("mug/1"), 0.02);
    expect(result.riseM).toBeLessThan(0.02);
    expect(result.onFloor).toBe(true);
  });

  it("an object of the catalogue stands still, and a ball does not roll away", async () => {
    const physics = await Physics.create(
      mjcfText(
        joinFragments(
          "still",
          [COMPILER, optionElement({ sleep: false })],
          [{ worldbody: [FLOOR] }, fragmentOf(catalogueModel("ball/1"))],
        ),
      ),
    );
    physics.step(1000);
    const [x, y] = physics.body("object").position;
    expect(Math.hypot(x, y)).toBeLessThan(0.002);
    physics.dispose();
  });
});
