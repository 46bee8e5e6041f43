export interface NamedColor {
  readonly name: string;
  /** 0 to 1 each. */
  readonly rgb: readonly [r: number, g: number, b: number];
}

/** Far enough apart to be told from each other by name. */
export const COLORS: readonly NamedColor[] = [
  { name: "red", rgb: [0.82, 0.15, 0.13] },
  { name: "green", rgb: [0.16, 0.6, 0.25] },
  { name: "blue", rgb: [0.14, 0.33, 0.78] },
  { name: "yellow", rgb: [0.93, 0.79, 0.15] },
  { name: "orange", rgb: [0.93, 0.5, 0.11] },
  { name: "purple", rgb: [0.5, 0.22, 0.62] },
  { name: "white", rgb: [0.92, 0.92, 0.9] },
  { name: "black", rgb: [0.12, 0.12, 0.13] },
];
