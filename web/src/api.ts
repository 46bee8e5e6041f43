import { useEffect, useState } from "react";
import type { Problem } from "../../src/server/view/documents.js";
import type { Address } from "./addresses.js";

/** A document could not be loaded. */
class ProblemError extends Error {
  constructor(
    readonly problem: Problem /** HTTP status; 0 without a response. */,
    readonly status: number,
  ) {
    super(problem.message);
    this.name = "ProblemError";
  }
}

export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly problem: Problem; readonly status: number };

/** Enough for going back and forth; an episode's document may take several megabytes. */
const MAX_CACHED = 24;
const FAILURE_TTL_MS = 2000;

const cache = new Map<string, Promise<unknown>>();

/** Loads the document at an address. Cached until `forget`. */
export function load<T>(address: Address<T>): Promise<T> {
  const known = cache.get(address);
  if (known) {
    cache.delete(address);
    cache.set(address, known);
    return known as Promise<T>;
  }
  const pending = fetchDocument<T>(address);
  cache.set(address, pending);
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED) break;
    cache.delete(oldest);
  }
  // Failures are cached briefly, so that concurrent requests share the answer and later ones retry.
  pending.catch(() => setTimeout(() => forgetPending(address, pending), FAILURE_TTL_MS));
  return pending;
}

function forgetPending(address: string, pending: Promise<unknown>): void {
  if (cache.get(address) === pending) cache.delete(address);
}

/** Removes an address, and all below it, from the cache. */
export function forget(address: string): void {
  for (const known of cache.keys()) {
    if (known === address || known.startsWith(`${address}/`)) cache.delete(known);
  }
}

/** Loads a document again, bypassing the cache. */
export function reload<T>(address: Address<T>): Promise<T> {
  forget(address);
  return load(address);
}

/**
 * The document at an address. A higher `version` loads it again and keeps the current one meanwhile; null loads
 * nothing.
 */
export function useDocument<T>(address: Address<T> | null, version = 0): Loaded<T> {
  const [held, setHeld] = useState<{ address: string | null; loaded: Loaded<T>; version: number }>({
    address: null,
    loaded: { state: "loading" },
    version: 0,
  });
  useEffect(() => {
    if (address === null) return;
    let current = true;
    const show = (loaded: Loaded<T>) => {
      if (current) setHeld({ address, loaded, version });
    };
    const pending = version > 0 ? reload(address) : load(address);
    pending.then(
      (data) => show({ state: "ready", data }),
      (error: unknown) => show({ state: "failed", ...problemOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [address, version]);
  return held.address === address ? held.loaded : { state: "loading" };
}

/** The problem to show for any thrown value. */
export function problemOf(error: unknown): { problem: Problem; status: number } {
  if (error instanceof ProblemError) return { problem: error.problem, status: error.status };
  const message = error instanceof Error ? error.message : String(error);
  return { problem: { code: "page_error", message, where: null, hint: null }, status: 0 };
}

async function fetchDocument<T>(address: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, { headers: { accept: "application/json" } });
  } catch {
    throw new ProblemError(
      {
        code: "unreachable",
        message: "The server does not respond.",
        where: address,
        hint: "Check that `robot-eval view` is still running, and reload the page.",
      },
      0,
    );
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  throw new ProblemError(
    isProblem(body) ? body : plainProblem(response, address),
    response.ok ? 422 : response.status,
  );
}

/** Static hosts answer errors with their own pages. */
function plainProblem(response: Response, address: string): Problem {
  const missing = response.status === 404;
  return {
    code: missing ? "not_found" : "bad_answer",
    message: missing
      ? "This document does not exist."
      : `The response is not a robot-eval document (status ${response.status}).`,
    where: address,
    hint: missing ? "A static export contains only what existed when it was created." : null,
  };
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === "object" &&
    body !== null &&
    "message" in body &&
    typeof body.message === "string" &&
    "code" in body
  );
}
