import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hrefOf, parsePlace } from "./route.js";

const name = fc.string({ minLength: 1 }).filter((text) => /[^./]/.test(text));

describe("an address", () => {
  it("leads back to the page and the state that it was made of", () => {
    fc.assert(
      fc.property(name, name, fc.string({ minLength: 1 }), (run, episode, filter) => {
        const route = { page: "episode", run, episode } as const;
        expect(parsePlace(hrefOf(route, { filter }))).toEqual({ route, query: { filter } });
      }),
    );
  });

  it("is the list of runs where it says nothing", () => {
    expect(parsePlace("").route).toEqual({ page: "runs" });
    expect(parsePlace("#/?q=x")).toEqual({ route: { page: "runs" }, query: { q: "x" } });
  });

  it("leaves out what is empty", () => {
    expect(
      hrefOf({ page: "compare", a: "x", b: "y/z" }, { task: null, metric: "", episode: "e" }),
    ).toBe("#/compare/x/y%2Fz?episode=e");
  });

  it("that leads nowhere is told as it stands", () => {
    for (const hash of ["#/runs", "#/runs/x/films/y", "#/compare/x", "#/%E0%A4%A"])
      expect(parsePlace(hash).route.page).toBe("unknown");
  });
});
