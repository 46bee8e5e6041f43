import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hrefOf, parseLocation } from "./route.js";

const name = fc.string({ minLength: 1 }).filter((text) => /[^./]/.test(text));

describe("a URL", () => {
  it("a URL is parsed to the route and query that it was made from", () => {
    fc.assert(
      fc.property(name, name, fc.string({ minLength: 1 }), (run, episode, filter) => {
        const route = { page: "episode", run, episode } as const;
        expect(parseLocation(hrefOf(route, { filter }))).toEqual({ route, query: { filter } });
      }),
    );
  });

  it("a URL without a path is the list of runs", () => {
    expect(parseLocation("").route).toEqual({ page: "runs" });
    expect(parseLocation("#/?q=x")).toEqual({ route: { page: "runs" }, query: { q: "x" } });
  });

  it("a URL omits empty query values", () => {
    expect(
      hrefOf({ page: "compare", a: "x", b: "y/z" }, { task: null, metric: "", episode: "e" }),
    ).toBe("#/compare/x/y%2Fz?episode=e");
  });

  it("a URL of an unknown page gives the route unknown", () => {
    for (const hash of ["#/runs", "#/runs/x/films/y", "#/compare/x", "#/%E0%A4%A"])
      expect(parseLocation(hash).route.page).toBe("unknown");
  });
});
