import { useEffect, useSyncExternalStore } from "react";
import { parseLocation } from "./route.js";

/**
 * A user preference, stored in the browser. A value in the URL (`lang=zh`, `theme=dark`) takes precedence, so that a
 * link shows the same to everybody.
 */
export interface Preference<T extends string> {
  /** The value, or null if none was chosen. */
  readonly use: () => T | null;
  readonly choose: (value: T) => void;
}

const listeners = new Set<() => void>();

export function preference<T extends string>(key: string, values: readonly T[]): Preference<T> {
  const valid = (text: string | null | undefined) => values.find((value) => value === text) ?? null;
  const read = () => valid(parseLocation(window.location.hash).query[key]) ?? valid(stored(key));
  return {
    use: () => {
      const value = useSyncExternalStore(subscribe, read);
      // Keep a value from the URL for later pages.
      useEffect(() => {
        if (value !== null) store(key, value);
      }, [value]);
      return value;
    },
    choose: (value) => {
      store(key, value);
      setInAddress(key, value);
      for (const listener of listeners) listener();
    },
  };
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(`robot-eval.${key}`, value);
  } catch {
    // Private windows may have no storage; the choice is then only in the URL.
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(`robot-eval.${key}`);
  } catch {
    return null;
  }
}

/** A different value in the URL would override the new choice. */
function setInAddress(key: string, value: string): void {
  const [path = "", search = ""] = window.location.hash.split("?");
  const query = new URLSearchParams(search);
  if (stored(key) === value) query.delete(key);
  else query.set(key, value);
  const text = query.toString();
  window.history.replaceState(null, "", `${path || "#/"}${text === "" ? "" : `?${text}`}`);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("hashchange", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("hashchange", listener);
  };
}
