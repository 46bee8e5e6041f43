import { cylinderVolume } from "../../shape.js";
import type { Made } from "../model.js";
import { CREAM, DARK, handle, type Look, post, STEEL, turned, WHITE, WOOD } from "../parts.js";

/** Something solid and round: its grasp is around the widest part that is high enough for a hand. */
function round(
  color: string,
  massKg: number,
  [radiusM, highM]: readonly [number, number],
  parts: Made["parts"],
  graspM: readonly [radius: number, z: number] = [radiusM, highM / 2],
): Made {
  const at = [0, 0, graspM[1] - highM / 2] as const;
  return {
    color,
    massKg,
    min: [-radiusM, -radiusM, 0],
    max: [radiusM, radiusM, highM],
    parts,
    grasp: { kind: "sides", at, widthM: 2 * graspM[0] },
  };
}

/** A band of another colour around a body, between two heights. */
function band(radius: number, z0: number, z1: number, look: Look) {
  const skin = radius + 0.0004;
  return turned(
    [
      [skin, z0],
      [skin, z1],
    ],
    look,
  );
}

export const BOTTLES: readonly Made[] = [
  bottle("green", 0.031, 0.22, 0.42, CREAM, { rgb: [0.75, 0.6, 0.2] }),
  bottle("blue", 0.03, 0.2, 0.35, WHITE, WHITE),
  bottle("brown", 0.031, 0.21, 0.4, { rgb: [0.8, 0.2, 0.15] }, { rgb: [0.8, 0.7, 0.3] }),
  bottle("white", 0.032, 0.19, 0.3, { rgb: [0.2, 0.5, 0.75] }, { rgb: [0.2, 0.5, 0.75] }),
  bottle("red", 0.029, 0.2, 0.34, WHITE, { rgb: [0.2, 0.55, 0.25] }),
  bottle("yellow", 0.03, 0.19, 0.33, { rgb: [0.75, 0.15, 0.12] }, { rgb: [0.75, 0.15, 0.12] }),
];

function bottle(color: string, r: number, h: number, massKg: number, label: Look, cap: Look): Made {
  const [shoulder, neck, lid, thin] = [0.6 * h, 0.78 * h, 0.89 * h, 0.42 * r];
  return round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, shoulder),
      post(0.72 * r, shoulder, 0.5 * (shoulder + neck)),
      post(thin, 0.5 * (shoulder + neck), h),
      turned([
        [0.9 * r, 0],
        [r, 0.02 * h],
        [r, shoulder],
        [0.86 * r, shoulder + 0.3 * (neck - shoulder)],
        [1.15 * thin, shoulder + 0.85 * (neck - shoulder)],
        [thin, neck],
        [thin, lid],
      ]),
      turned(
        [
          [1.25 * thin, lid],
          [1.25 * thin, h],
        ],
        cap,
      ),
      band(r, 0.14 * h, 0.48 * h, label),
      band(r + 0.0003, 0.2 * h, 0.24 * h, { shade: 0.7 }),
    ],
    [r, 0.4 * h],
  );
}

export const CANS: readonly Made[] = [
  can("red", 0.032, 0.115, 0.38, WHITE),
  can("green", 0.031, 0.1, 0.33, { rgb: [0.92, 0.83, 0.3] }),
  can("blue", 0.026, 0.12, 0.3, STEEL),
  can("yellow", 0.032, 0.085, 0.3, { rgb: [0.75, 0.2, 0.15] }),
  can("purple", 0.026, 0.13, 0.32, STEEL),
  can("orange", 0.032, 0.105, 0.36, { rgb: [0.2, 0.45, 0.25] }),
];

function can(color: string, r: number, h: number, massKg: number, stripe: Look): Made {
  const edge = 0.003;
  return round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, h),
      turned(
        [
          [0.9 * r, 0],
          [0.97 * r, edge],
          [0.97 * r, h - edge],
          [0.9 * r, h],
          [0.86 * r, h],
          [0.86 * r, h - edge],
        ],
        STEEL,
      ),
      turned([
        [r, edge + 0.002],
        [r, h - edge - 0.002],
      ]),
      band(r, 0.58 * h, 0.72 * h, stripe),
      band(r, 0.16 * h, 0.2 * h, stripe),
    ],
  );
}

export const JARS: readonly Made[] = [
  jar("red", 0.032, 0.1, 0.36, WHITE),
  jar("orange", 0.031, 0.09, 0.32, { rgb: [0.85, 0.75, 0.3] }),
  jar("purple", 0.032, 0.085, 0.3, CREAM),
  jar("green", 0.03, 0.11, 0.34, STEEL),
  jar("brown", 0.032, 0.095, 0.33, DARK),
  jar("pink", 0.031, 0.105, 0.34, WHITE),
];

function jar(color: string, r: number, h: number, massKg: number, lid: Look): Made {
  const [shoulder, top] = [0.74 * h, 0.82 * h];
  return round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, shoulder),
      post(0.92 * r, shoulder, h),
      turned([
        [0.88 * r, 0],
        [r, 0.06 * h],
        [r, shoulder],
        [0.84 * r, top],
      ]),
      turned(
        [
          [0.92 * r, top],
          [0.92 * r, 0.97 * h],
          [0.85 * r, h],
        ],
        lid,
      ),
      band(r, 0.2 * h, 0.6 * h, CREAM),
      band(r + 0.0003, 0.34 * h, 0.46 * h, {}),
    ],
    [r, 0.45 * h],
  );
}

export const CANDLES: readonly Made[] = [
  candle("red", 0.028, 0.1, 0.24),
  candle("white", 0.03, 0.12, 0.32),
  candle("purple", 0.027, 0.085, 0.19),
  candle("green", 0.029, 0.11, 0.28),
  candle("blue", 0.03, 0.09, 0.25),
  candle("orange", 0.028, 0.115, 0.28),
];

function candle(color: string, r: number, h: number, massKg: number): Made {
  const wax = h - 0.012;
  return round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, wax),
      { ...post(0.002, wax, h), volumeM3: cylinderVolume(0.002, h - wax) },
      turned([
        [r, 0],
        [r, wax - 0.003],
        [0.93 * r, wax],
        [0.86 * r, wax],
        [0.7 * r, wax - 0.004],
      ]),
      turned(
        [
          [0.0016, wax - 0.005],
          [0.0016, h],
        ],
        DARK,
      ),
      turned(
        [
          [0.66 * r, wax - 0.0045],
          [0.66 * r, wax - 0.0035],
        ],
        { rgb: [0.97, 0.93, 0.82] },
      ),
    ],
    [r, 0.45 * h],
  );
}

export const VASES: readonly Made[] = [
  vase("white", 0.032, 0.16, 0.3, { rgb: [0.2, 0.35, 0.6] }),
  vase("blue", 0.031, 0.18, 0.33, { rgb: [0.85, 0.7, 0.3] }),
  vase("brown", 0.032, 0.14, 0.28, CREAM),
  vase("green", 0.03, 0.17, 0.3, { shade: 0.6 }),
];

function vase(color: string, r: number, h: number, massKg: number, stripe: Look): Made {
  return round(
    color,
    massKg,
    [r, h],
    [
      post(0.62 * r, 0, 0.14 * h),
      post(r, 0.22 * h, 0.5 * h),
      post(0.8 * r, 0.14 * h, 0.6 * h),
      post(0.45 * r, 0.6 * h, h),
      turned([
        [0.62 * r, 0],
        [0.8 * r, 0.12 * h],
        [r, 0.28 * h],
        [r, 0.44 * h],
        [0.78 * r, 0.6 * h],
        [0.42 * r, 0.76 * h],
        [0.36 * r, 0.86 * h],
        [0.52 * r, h],
        [0.44 * r, h],
        [0.3 * r, 0.88 * h],
        [0.3 * r, 0.8 * h],
      ]),
      band(r, 0.33 * h, 0.39 * h, stripe),
    ],
    [r, 0.36 * h],
  );
}

export const PEPPER_MILLS: readonly Made[] = [
  pepperMill("brown", 0.027, 0.16, 0.24),
  pepperMill("black", 0.026, 0.18, 0.26),
  pepperMill("red", 0.028, 0.15, 0.25),
  pepperMill("white", 0.027, 0.17, 0.25),
];

function pepperMill(color: string, r: number, h: number, massKg: number): Made {
  return round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, 0.5 * h),
      post(0.66 * r, 0.5 * h, 0.72 * h),
      post(0.8 * r, 0.72 * h, 0.94 * h),
      post(0.25 * r, 0.94 * h, h),
      turned([
        [r, 0],
        [r, 0.1 * h],
        [0.9 * r, 0.14 * h],
        [r, 0.3 * h],
        [r, 0.46 * h],
        [0.62 * r, 0.56 * h],
        [0.62 * r, 0.66 * h],
        [0.8 * r, 0.72 * h],
      ]),
      turned(
        [
          [0.78 * r, 0.73 * h],
          [0.84 * r, 0.8 * h],
          [0.7 * r, 0.91 * h],
          [0.3 * r, 0.95 * h],
        ],
        { shade: 0.8 },
      ),
      turned(
        [
          [0.22 * r, 0.94 * h],
          [0.26 * r, 0.97 * h],
          [0.16 * r, h],
        ],
        STEEL,
      ),
      band(0.805 * r, 0.715 * h, 0.735 * h, STEEL),
    ],
    [r, 0.35 * h],
  );
}

export const PITCHERS: readonly Made[] = [
  pitcher("blue", 0.032, 0.16, 0.36),
  pitcher("white", 0.032, 0.15, 0.34),
  pitcher("yellow", 0.031, 0.17, 0.35),
  pitcher("red", 0.032, 0.14, 0.33),
];

function pitcher(color: string, r: number, h: number, massKg: number): Made {
  const reachM = 0.032;
  const body = round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, 0.55 * h),
      post(0.72 * r, 0.55 * h, h),
      turned([
        [0.85 * r, 0],
        [r, 0.1 * h],
        [r, 0.5 * h],
        [0.72 * r, 0.72 * h],
        [0.68 * r, 0.85 * h],
        [0.8 * r, h],
        [0.72 * r, h],
        [0.6 * r, 0.84 * h],
      ]),
      band(r, 0.2 * h, 0.24 * h, WHITE),
      band(r, 0.4 * h, 0.44 * h, WHITE),
      ...handle(0.72 * r, [0.38 * h, 0.9 * h], 0.28 * r + reachM),
    ],
  );
  const at = [-reachM / 2, 0, -0.18 * h] as const;
  return {
    ...body,
    max: [r + reachM, r, h],
    grasp: { kind: "sides", at, widthM: 2 * r, closingYawsRad: [Math.PI / 2] },
  };
}

export const SOAP_DISPENSERS: readonly Made[] = [
  soapDispenser("green", 0.03, 0.17, 0.32, DARK),
  soapDispenser("pink", 0.031, 0.16, 0.31, WHITE),
  soapDispenser("gray", 0.03, 0.18, 0.36, STEEL),
  soapDispenser("orange", 0.031, 0.165, 0.3, WOOD),
];

function soapDispenser(color: string, r: number, h: number, massKg: number, pump: Look): Made {
  const top = 0.68 * h;
  return round(
    color,
    massKg,
    [r, h],
    [
      post(r, 0, top),
      post(0.4 * r, top, h),
      turned([
        [0.9 * r, 0],
        [r, 0.04 * h],
        [r, 0.62 * h],
        [0.8 * r, top],
      ]),
      turned(
        [
          [0.5 * r, top],
          [0.5 * r, 0.76 * h],
          [0.2 * r, 0.78 * h],
          [0.2 * r, 0.9 * h],
          [0.36 * r, 0.92 * h],
          [0.36 * r, h],
        ],
        pump,
      ),
      {
        type: "box",
        size: [0.4 * r, 0.16 * r, 0.022 * h],
        position: [0.55 * r, 0, 0.965 * h],
        volumeM3: 0,
        use: "see",
        ...pump,
      },
      band(r, 0.2 * h, 0.5 * h, WHITE),
      band(r + 0.0003, 0.26 * h, 0.3 * h, {}),
    ],
    [r, 0.36 * h],
  );
}
