import { describe, expect, it } from "vitest";
import { parseRule } from "./parse.js";
import { builtInPredicates } from "./predicates/index.js";

const parse = (rule: unknown) => parseRule(rule, builtInPredicates);

describe("parseRule", () => {
  it("parseRule completes the parameters of a predicate and uses the name in the rule", () => {
    expect(parse({ lifted: { object: "cup" } })).toMatchObject({
      kind: "leaf",
      name: "lifted",
      params: { object: "cup", height_m: 0.1, held: false },
    });
    expect(parse({ lifted: { object: "cup", name: "up" } })).toMatchObject({ name: "up" });
  });

  it("parseRule expands a compound predicate into its conditions", () => {
    const tree = parse({ on: { object: "cup", base: "plate", gap_m: 0.01 } });
    expect(tree).toMatchObject({
      kind: "all",
      parts: [
        { name: "above", params: { object: "cup", base: "plate" } },
        { name: "on_top", params: { gap_m: 0.01 } },
        { name: "touching" },
      ],
    });
  });

  it.each([
    [42, "rule", /expected a rule such as/],
    [{}, "rule", /expected a rule such as/],
    [{ open: {}, closed: {} }, "rule", /a rule has one key, got "open", "closed"/],
    [{ all: [] }, "rule.all", /expected a list of rules/],
    [{ any: [{ al: [] }] }, "rule.any[0].al", /unknown predicate "al"/],
    [{ not: { once: { grasp: {} } } }, "rule.not.once.grasp", /unknown predicate "grasp"/],
    [
      { hold: { steps: 0, rule: {} } },
      "rule.hold.steps",
      /positive integer number of control steps/,
    ],
    [{ hold: [] }, "rule.hold.steps", /positive integer number of control steps/],
    [{ open: 7 }, "rule.open", /expected open's parameters, got 7/],
    [{ open: {} }, "rule.open.fixture", /expected string/],
    [{ open: { fixture: "d", fraction: 2 } }, "rule.open.fraction", /<=1/],
    [{ open: { fixture: "d", frction: 1 } }, "rule.open", /frction/],
    [{ near: { object: "a", target: [0, 1] } }, "rule.near.target", /three numbers|string/],
    [{ on: { object: "a", base: "a" } }, "rule.on.base", /another object/],
    [{ flag: { flag: "object_droped" } }, "rule.flag.flag", /object_placed/],
  ])("parseRule rejects %j and names the place of the error", (rule, where, message) => {
    expect(() => parse(rule)).toThrow(message);
    expect(() => parse(rule)).toThrow(expect.objectContaining({ where }));
  });

  it("parseRule suggests a similar predicate for an unknown one", () => {
    expect(() => parse({ gasped: { object: "cup" } })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('did you mean "grasped"?') }),
    );
  });

  it("parseRule rejects a predicate that expands to itself", () => {
    const rule = { loop: { object: "a", base: "b" } };
    const { params } = builtInPredicates.find("on") ?? {};
    if (!params) throw new Error("there is no on");
    const loop = { name: "loop", summary: "", params, rule: () => rule };
    const predicates = { find: () => loop, list: () => ["loop"] };
    expect(() => parseRule(rule, predicates)).toThrow(/nested more than 32 levels deep/);
  });
});
