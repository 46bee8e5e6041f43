import type { Rgb } from "./shape.js";

/** Colours by name, in episodes and in the names of objects. */
export const COLORS: Readonly<Record<string, Rgb>> = {
  red: [0.8, 0.14, 0.12],
  orange: [0.92, 0.49, 0.1],
  yellow: [0.92, 0.78, 0.16],
  green: [0.2, 0.6, 0.25],
  blue: [0.13, 0.32, 0.75],
  purple: [0.5, 0.25, 0.62],
  pink: [0.92, 0.5, 0.62],
  brown: [0.45, 0.3, 0.18],
  black: [0.12, 0.12, 0.13],
  gray: [0.5, 0.5, 0.5],
  grey: [0.5, 0.5, 0.5],
  white: [0.92, 0.92, 0.92],
};
