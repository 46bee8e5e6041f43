import { useEffect, useSyncExternalStore } from "react";
import { parsePlace } from "./route.js";

/**
 * What a person chose and the browser remembers. A choice in the address (`lang=zh`, `theme=dark`) wins, so that
 * a link shows what its sender saw.
 */
export interface Preference<T extends string> {
  /** The choice, or null where there is none. */
  readonly use: () => T | null;
  readonly choose: (value: T) => void;
}

const listeners = new Set<() => void>();

export function preference<T extends string>(key: string, values: readonly T[]): Preference<T> {
  const valid = (text: string | null | undefined) => values.find((value) => value === text) ?? null;
  const read = () => valid(parsePlace(window.location.hash).query[key]) ?? valid(stored(key));
  return {
    use: () => {
      const value = useSyncExternalStore(subscribe, read);
      // The next address need not say it again.
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
    // Private windows may refuse to remember; the choice then lasts as long as the address.
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(`robot-eval.${key}`);
  } catch {
    return null;
  }
}

/** An address that says something else would win over the new choice. */
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
