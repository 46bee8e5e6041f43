import { addresses } from "./addresses.js";
import { load } from "./api.js";
import type { Route } from "./route.js";

/** Asks for what a page needs first, while the page's own code is still coming. */
export function prefetch(route: Route): void {
  // The page tells of what goes wrong: it asks for the same, and is given the same answer.
  needs(route)?.catch(() => {});
}

function needs(route: Route): Promise<unknown> | undefined {
  switch (route.page) {
    case "runs":
      return load(addresses.runs());
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
