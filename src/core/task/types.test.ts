import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../errors.js";
import { Random } from "../math/random.js";
import { ActionSpace, SensorSuite } from "./types.js";

const discrete = new ActionSpace({
  name: "discrete",
  actions: ["stop", "move_forward", "turn_left", "goto"],
});
const continuous = new ActionSpace({ name: "continuous", shape: [3], range: [-2, 2] });
const hybrid = new ActionSpace({ name: "hybrid", actions: ["stop"], shape: [3] });

function refusal(space: ActionSpace, raw: unknown): ProtocolError {
  try {
    space.parse(raw);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error(`${String(raw)} was taken for an action`);
}

describe("reading a named action", () => {
  it("takes a string or {name}", () => {
    expect(discrete.parse("move_forward")).toBe("move_forward");
    expect(discrete.parse({ name: "turn_left" })).toBe("turn_left");
  });

  it("keeps the argument of an action that has one", () => {
    expect(discrete.parse("goto:node:7")).toBe("goto:node:7");
    expect(discrete.parse({ name: "goto:n" })).toBe("goto:n");
  });

  it("refuses an unknown name, suggests the nearest and lists all", () => {
    const error = refusal(discrete, "move_foward");
    expect(error.code).toBe("bad_action");
    expect(error.message).toContain('"move_foward"');
    expect(error.hint).toBe(
      'did you mean "move_forward"? valid: stop, move_forward, turn_left, goto',
    );
  });

  it("refuses a stop with an argument: nobody could say what it means", () => {
    expect(refusal(discrete, "stop:now").message).toContain("stop takes no argument");
  });

  it("refuses a vector", () => {
    const error = refusal(discrete, [1, 2, 3]);
    expect(error.message).toContain("[1,2,3]");
    expect(error.hint).toBe("send one of: stop, move_forward, turn_left, goto");
  });
});

describe("reading a vector", () => {
  it("takes a list, {qpos} or a typed array, and gives a plain list", () => {
    expect(continuous.parse([0, 1.5, -2])).toEqual([0, 1.5, -2]);
    expect(continuous.parse({ qpos: [0, 1, 2] })).toEqual([0, 1, 2]);
    for (const raw of [Float32Array.of(1, 2, 3), Float64Array.of(1, 2, 3)]) {
      const action = continuous.parse(raw);
      expect(Array.isArray(action)).toBe(true);
      expect(action).toEqual([1, 2, 3]);
    }
  });

  it("takes a typed array inside {qpos} as well", () => {
    expect(continuous.parse({ qpos: Float32Array.of(1, 2, 3) })).toEqual([1, 2, 3]);
  });

  it("refuses a wrong length and says both", () => {
    expect(refusal(continuous, [1, 2]).message).toBe("an action of this task has 3 numbers, got 2");
    expect(refusal(continuous, []).message).toContain("got 0");
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ['"0.5"', "0.5"],
    ["null", null],
    ["nothing", undefined],
    ["true", true],
  ])("refuses %s among the numbers and says where", (shown, value) => {
    expect(refusal(continuous, [0, value, 0]).message).toBe(
      `action[1] is ${shown}, not a finite number`,
    );
  });

  it("refuses NaN in a typed array too", () => {
    expect(refusal(continuous, Float64Array.of(0, 0, Number.NaN)).message).toContain("action[2]");
  });

  it("refuses a name and says what would have been right", () => {
    expect(refusal(continuous, "stop").hint).toBe("send a list of 3 finite numbers");
  });
});

describe("a hybrid space", () => {
  it("takes stop or a vector", () => {
    expect(hybrid.parse("stop")).toBe("stop");
    expect(hybrid.parse({ name: "stop" })).toBe("stop");
    expect(hybrid.parse([1, 2, 3])).toEqual([1, 2, 3]);
    expect(hybrid.parse({ qpos: [1, 2, 3] })).toEqual([1, 2, 3]);
  });

  it("tells both ways when it gets neither", () => {
    expect(refusal(hybrid, 5).hint).toBe("send one of: stop, or a list of 3 finite numbers");
    expect(refusal(hybrid, "go").code).toBe("bad_action");
    expect(refusal(hybrid, [1]).code).toBe("bad_action");
  });
});

describe("anything else", () => {
  it.each([null, undefined, 7, true, {}, { name: 3 }, { qpos: "a" }, { action: "stop" }])(
    "is a ProtocolError: %j",
    (raw) => {
      for (const space of [discrete, continuous, hybrid]) {
        expect(refusal(space, raw).code).toBe("bad_action");
      }
    },
  );

  it("is a ProtocolError whatever it is, never another failure", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withTypedArray: true }), (raw) => {
        for (const space of [discrete, continuous, hybrid]) {
          try {
            space.parse(raw);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }
      }),
    );
  });
});

describe("limits", () => {
  it("may be one pair for all dimensions or a pair each", () => {
    expect(continuous.limits(0)).toEqual([-2, 2]);
    expect(continuous.limits(2)).toEqual([-2, 2]);
    const each = new ActionSpace({
      name: "continuous",
      shape: [2],
      range: [
        [0, 1],
        [-3, 3],
      ],
    });
    expect(each.limits(0)).toEqual([0, 1]);
    expect(each.limits(1)).toEqual([-3, 3]);
    expect(each.limits(2)).toBeUndefined();
  });

  it("may be absent", () => {
    expect(hybrid.limits(0)).toBeUndefined();
  });
});

describe("size", () => {
  it("is the product of the shape, and 0 where there is no vector", () => {
    expect(new ActionSpace({ name: "continuous", shape: [2, 7] }).size).toBe(14);
    expect(discrete.size).toBe(0);
    expect(discrete.shape).toBeUndefined();
    expect(continuous.actions).toBeUndefined();
  });
});

describe("sampling", () => {
  it("gives only what the space itself accepts, within the limits", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        const random = new Random(seed);
        for (const space of [discrete, continuous, hybrid]) {
          const action = space.sample(random);
          expect(space.parse(action)).toEqual(action);
        }
        for (const value of continuous.sample(random)) {
          expect(Math.abs(Number(value))).toBeLessThanOrEqual(2);
        }
      }),
    );
  });

  it("reaches every named action", () => {
    const random = new Random(1);
    const seen = new Set(Array.from({ length: 200 }, () => discrete.sample(random)));
    expect([...seen].sort()).toEqual([...(discrete.actions ?? [])].sort());
  });

  it("stays within -1 and 1 where a number has no limits", () => {
    const random = new Random(2);
    const values = Array.from({ length: 100 }, () => hybrid.sample(random))
      .flat()
      .map(Number);
    expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(Math.min(...values)).toBeLessThan(-0.9);
    expect(Math.max(...values)).toBeGreaterThan(0.9);
  });
});

describe("a sensor suite", () => {
  const suite = new SensorSuite({ sensors: { rgb: { width: 640 }, gps: {} } });

  it("gives a sensor's settings, and none for a sensor it does not have", () => {
    expect(suite.get("rgb")).toEqual({ width: 640 });
    expect(suite.get("lidar")).toEqual({});
    expect(suite.get("constructor")).toEqual({});
  });

  it("knows its sensors by name", () => {
    expect(suite.names()).toEqual(["rgb", "gps"]);
    expect(suite.has("gps")).toBe(true);
    expect(suite.has("toString")).toBe(false);
  });
});
