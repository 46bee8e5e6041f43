/** Colours of the robots' parts: sRGB, 0 to 1. */
export const PAINT = {
  white: [0.92, 0.93, 0.94],
  grey: [0.54, 0.56, 0.58],
  dark: [0.2, 0.21, 0.23],
  black: [0.09, 0.09, 0.1],
  rubber: [0.31, 0.31, 0.33],
  red: [0.75, 0.1, 0.08],
} as const satisfies Record<string, readonly [r: number, g: number, b: number]>;
