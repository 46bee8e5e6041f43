import { addresses } from "./addresses.js";
import { load } from "./api.js";
import type { Route } from "./route.js";

/** Loads a page's first document while the page's code is still loading. */
export function prefetch(route: Route): void {
  // The page makes the same request and shows its error.
  firstDocument(route)?.catch(() => {});
}

function firstDocument(route: Route): Promise<unknown> | undefined {
  switch (route.page) {
    case "runs":
      return load(addresses.runs());
    case "stress":
      return load(addresses.stress());
    case "run":
      return load(addresses.run(route.run));
    case "episode":
      return load(addresses.episode(route.run, route.episode));
    case "compare":
      return load(addresses.compare(route.a, route.b));
    case "unknown":
      return undefined;
  }
}
