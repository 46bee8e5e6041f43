import { useEffect, useState } from "react";
import type { Problem } from "../../src/server/view/documents.js";
import type { Address } from "./addresses.js";

/** A document that did not come. */
class ProblemError extends Error {
  readonly problem: Problem;
  /** Of the answer; 0 where there was none. */
  readonly status: number;

  constructor(problem: Problem, status: number) {
    super(problem.message);
    this.name = "ProblemError";
    this.problem = problem;
    this.status = status;
  }
}

export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly problem: Problem; readonly status: number };

/** Enough for a person's way back and forth; an episode's document may take some megabytes. */
const KEPT = 24;
const FAILURE_HOLDS_MS = 2000;

const cache = new Map<string, Promise<unknown>>();

/** The document at an address. The same address is asked for once, until it is forgotten. */
export function load<T>(address: Address<T>): Promise<T> {
  const known = cache.get(address);
  if (known) {
    cache.delete(address);
    cache.set(address, known);
    return known as Promise<T>;
  }
  const coming = fetchDocument<T>(address);
  cache.set(address, coming);
  for (const oldest of cache.keys()) {
    if (cache.size <= KEPT) break;
    cache.delete(oldest);
  }
  // A failure may be over the next time; whoever asks for the same just now has the same answer.
  coming.catch(() => setTimeout(() => forgetIf(address, coming), FAILURE_HOLDS_MS));
  return coming;
}

function forgetIf(address: string, coming: Promise<unknown>): void {
  if (cache.get(address) === coming) cache.delete(address);
}

/** The next `load` asks again for what stands at an address, or below it. */
export function forget(address: string): void {
  for (const known of cache.keys()) {
    if (known === address || known.startsWith(`${address}/`)) cache.delete(known);
  }
}

/** Asks again now. */
export function reload<T>(address: Address<T>): Promise<T> {
  forget(address);
  return load(address);
}

/**
 * The document at an address as it comes. A higher `version` asks again and keeps what is shown meanwhile;
 * null asks for nothing.
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
    const coming = version > 0 ? reload(address) : load(address);
    coming.then(
      (data) => show({ state: "ready", data }),
      (error: unknown) => show({ state: "failed", ...problemOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [address, version]);
  return held.address === address ? held.loaded : { state: "loading" };
}

/** What to tell of anything that was thrown. */
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
        message: "The server does not answer.",
        where: address,
        hint: "See whether `robot-eval view` still runs, and load the page again.",
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

/** A static host answers with a page of its own. */
function plainProblem(response: Response, address: string): Problem {
  const missing = response.status === 404;
  return {
    code: missing ? "not_found" : "bad_answer",
    message: missing
      ? "There is no such document."
      : `The answer is no document of robot-eval (status ${response.status}).`,
    where: address,
    hint: missing ? "A static export has only what was there when it was made." : null,
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
