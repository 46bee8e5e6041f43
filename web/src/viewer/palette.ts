import type { ViewerTheme } from "./content.js";

/** The colours of the maps (src/simulator/maps/palette.ts), slightly brighter because scenes are darker. */
export const MARK = {
  start: "#00a878",
  goal: "#c94f93",
  reference: "#f0a800",
  collision: "#e3122f",
  pathFirst: "#8fd0f7",
  pathLast: "#0d4aa0",
} as const;

/** The colours of two runs, distinguishable with common kinds of colour blindness. */
export const GHOSTS = ["#2f7fd6", "#e07b1a"] as const;

export const ROBOT = { body: "#f7f9fb", base: "#2a3440" } as const;

interface Backdrop {
  readonly background: string;
  readonly grid: string;
  readonly gridFaint: string;
  /** The colour of a cut wall. */
  readonly cut: string;
  readonly text: string;
  readonly plate: string;
}

export const BACKDROP: Readonly<Record<ViewerTheme, Backdrop>> = {
  light: {
    background: "#e9edf1",
    grid: "#b9c3cd",
    gridFaint: "#d5dce3",
    cut: "#59616b",
    text: "#1b232c",
    plate: "#ffffff",
  },
  dark: {
    background: "#12161b",
    grid: "#3a444f",
    gridFaint: "#232a32",
    cut: "#3b4550",
    text: "#e8edf2",
    plate: "#1c232b",
  },
};
