import { useEffect, useSyncExternalStore } from "react";
import { preference } from "./preferences.js";

export type Theme = "light" | "dark";

const chosen = preference<Theme>("theme", ["light", "dark"]);

/** The selected theme, or else the system's. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const system = useSyncExternalStore<Theme>(subscribeSystem, () =>
    darkSystem().matches ? "dark" : "light",
  );
  return [chosen.use() ?? system, chosen.choose];
}

/** Sets the theme attribute of the document, for styles and canvases. */
export function useThemeOnDocument(): void {
  const [theme] = useTheme();
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}

function darkSystem(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}

function subscribeSystem(listener: () => void): () => void {
  const media = darkSystem();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}
