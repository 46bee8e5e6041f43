import { useCallback, useSyncExternalStore } from "react";

/** The page that is shown; the rest of its state is in the query. */
export type Route =
  | { readonly page: "runs" }
  | { readonly page: "stress" }
  | { readonly page: "run"; readonly run: string }
  | { readonly page: "episode"; readonly run: string; readonly episode: string }
  | { readonly page: "compare"; readonly a: string; readonly b: string }
  | { readonly page: "unknown"; readonly path: string };

export type Query = Readonly<Record<string, string>>;

/** Null removes a key from the URL. */
export type QueryPatch = Readonly<Record<string, string | null>>;

/**
 * Changes the query of the current page. Use `push` for changes that "back" should undo, and `replace` for continuous
 * ones (typing, scrubbing).
 */
export type Navigate = (patch: QueryPatch, how?: "push" | "replace") => void;

export interface PageProps {
  readonly query: Query;
  readonly navigate: Navigate;
}

export interface EpisodePageProps extends PageProps {
  readonly run: string;
  readonly episode: string;
}

export interface PageLocation {
  readonly route: Route;
  readonly query: Query;
}

export function parseLocation(hash: string): PageLocation {
  const [path = "", search = ""] = split(hash.replace(/^#/, ""), "?");
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { route: routeOf(parts, path), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** `#/runs/x?task=vln`; empty values are left out. */
export function hrefOf(route: Route, query: QueryPatch = {}): string {
  const kept = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(kept).toString();
  return `#${pathOf(route)}${search === "" ? "" : `?${search}`}`;
}

/** The location in the address bar, and a function to change its query. */
export function usePageLocation(): readonly [PageLocation, Navigate] {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  const navigate = useCallback<Navigate>((patch, how = "push") => {
    const { route, query } = parseLocation(window.location.hash);
    const href = hrefOf(route, { ...query, ...patch });
    if (href === window.location.hash) return;
    window.history[how === "push" ? "pushState" : "replaceState"](null, "", href);
    // The history API fires no event.
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  }, []);
  return [parseLocation(hash), navigate];
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener("popstate", listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener("popstate", listener);
  };
}

function routeOf(parts: readonly string[], path: string): Route {
  const [first, second, third, fourth] = parts;
  if (first === undefined) return { page: "runs" };
  if (first === "stress" && parts.length === 1) return { page: "stress" };
  if (first === "runs" && second !== undefined) {
    if (parts.length === 2) return { page: "run", run: second };
    if (third === "episodes" && fourth !== undefined && parts.length === 4)
      return { page: "episode", run: second, episode: fourth };
  }
  if (first === "compare" && second !== undefined && third !== undefined && parts.length === 3)
    return { page: "compare", a: second, b: third };
  return { page: "unknown", path };
}

function pathOf(route: Route): string {
  switch (route.page) {
    case "runs":
      return "/";
    case "stress":
      return "/stress";
    case "run":
      return `/runs/${encodeURIComponent(route.run)}`;
    case "episode":
      return `/runs/${encodeURIComponent(route.run)}/episodes/${encodeURIComponent(route.episode)}`;
    case "compare":
      return `/compare/${encodeURIComponent(route.a)}/${encodeURIComponent(route.b)}`;
    case "unknown":
      return route.path;
  }
}

function split(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/** A malformed escape is kept unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
