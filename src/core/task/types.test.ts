import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorMessage, ProtocolError } from "../errors.js";
import { Random } from "../math/random.js";
import { hasControl } from "../text.js";
import { ActionSpace, SensorSuite } from "./types.js";

const discrete = new ActionSpace({
  name: "discrete",
  actions: ["stop", "move_forward", "turn_left", "goto"],
});
const continuous = new ActionSpace({ name: "continuous", shape: [3], range: [-2, 2] });
const hybrid = new ActionSpace({ name: "hybrid", actions: ["stop"], shape: [3] });

function rejection(space: ActionSpace, raw: unknown): ProtocolError {
  try {
    space.parse(raw);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error(`${String(raw)} was accepted as an action`);
}

describe("reading a named action", () => {
  it("reading a named action accepts a string or {name}", () => {
    expect(discrete.parse("move_forward")).toBe("move_forward");
    expect(discrete.parse({ name: "turn_left" })).toBe("turn_left");
  });

  it("reading a named action keeps the argument of an action that has one", () => {
    expect(discrete.parse("goto:node:7")).toBe("goto:node:7");
    expect(discrete.parse({ name: "goto:n" })).toBe("goto:n");
  });

  it("reading a named action rejects an unknown name, suggests the closest and lists all", () => {
    const error = rejection(discrete, "move_foward");
    expect(error.code).toBe("bad_action");
    expect(error.message).toContain('"move_foward"');
    expect(error.hint).toBe(
      'did you mean "move_forward"? valid: stop, move_forward, turn_left, goto',
    );
  });

  it("reading a named action rejects a stop with an argument", () => {
    expect(rejection(discrete, "stop:now").message).toContain("stop takes no argument");
  });

  it("reading a named action rejects a name that is too long or has control characters, and does not print either", () => {
    const space = new ActionSpace({ name: "discrete", actions: ["stop", "goto"] });
    expect(space.parse(`goto:${"x".repeat(995)}`)).toHaveLength(1000);
    const hostile = ["x".repeat(996), "a\u0000b", "a\u001b]0;title\u0007", "a\u009b2J", "\ud83d"];
    for (const text of hostile.flatMap((one) => [`goto:${one}`, one, `stop:${one}`])) {
      for (const raw of [text, { name: text }]) {
        let message = "";
        try {
          space.parse(raw);
        } catch (error) {
          expect(error).toMatchObject({ name: "ProtocolError", code: "bad_action" });
          message = errorMessage(error);
        }
        expect(message).not.toBe("");
        expect(message.length).toBeLessThan(1500);
        expect(hasControl(message.replaceAll("\n", ""))).toBe(false);
      }
    }
  });

  it("reading a named action rejects a vector", () => {
    const error = rejection(discrete, [1, 2, 3]);
    expect(error.message).toContain("[1,2,3]");
    expect(error.hint).toBe("send one of: stop, move_forward, turn_left, goto");
  });
});

describe("reading a vector", () => {
  it("reading a vector accepts a list, {qpos} or a typed array, and returns a plain list", () => {
    expect(continuous.parse([0, 1.5, -2])).toEqual([0, 1.5, -2]);
    expect(continuous.parse({ qpos: [0, 1, 2] })).toEqual([0, 1, 2]);
    for (const raw of [Float32Array.of(1, 2, 3), Float64Array.of(1, 2, 3)]) {
      const action = continuous.parse(raw);
      expect(Array.isArray(action)).toBe(true);
      expect(action).toEqual([1, 2, 3]);
    }
  });

  it("reading a vector accepts a typed array inside {qpos}", () => {
    expect(continuous.parse({ qpos: Float32Array.of(1, 2, 3) })).toEqual([1, 2, 3]);
  });

  it("reading a vector rejects a wrong length and names both lengths", () => {
    expect(rejection(continuous, [1, 2]).message).toBe(
      "an action of this task has 3 numbers, got 2",
    );
    expect(rejection(continuous, []).message).toContain("got 0");
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ['"0.5"', "0.5"],
    ["null", null],
    ["nothing", undefined],
    ["true", true],
  ])("reading a vector rejects %s among the numbers and names its index", (shown, value) => {
    expect(rejection(continuous, [0, value, 0]).message).toBe(
      `action[1] is ${shown}, not a finite number`,
    );
  });

  it("reading a vector rejects NaN in a typed array", () => {
    expect(rejection(continuous, Float64Array.of(0, 0, Number.NaN)).message).toContain("action[2]");
  });

  it("reading a vector rejects a name and says what to send instead", () => {
    expect(rejection(continuous, "stop").hint).toBe("send a list of 3 finite numbers");
  });
});

describe("an action with name and qpos", () => {
  const both = { name: "move_forward", qpos: [1, 2, 3] };

  it("an action with name and qpos is the name in a discrete space, and the vector in a continuous one", () => {
    expect(discrete.parse(both)).toBe("move_forward");
    expect(continuous.parse(both)).toEqual([1, 2, 3]);
  });

  it("an action with name and qpos is the name in a hybrid space that has this action, and else the vector", () => {
    expect(hybrid.parse({ ...both, name: "stop" })).toBe("stop");
    expect(hybrid.parse(both)).toEqual([1, 2, 3]);
  });

  it("an action with name and qpos is rejected if the one that the space takes is invalid", () => {
    expect(rejection(discrete, { ...both, name: "fly" }).message).toContain('"fly"');
    expect(rejection(continuous, { ...both, qpos: [1] }).message).toContain("got 1");
    expect(rejection(hybrid, { ...both, qpos: [1] }).message).toContain("got 1");
    expect(rejection(continuous, { name: "move_forward", qpos: "up" }).hint).toBe(
      "send a list of 3 finite numbers",
    );
  });
});

describe("a hybrid action space", () => {
  it("a hybrid action space accepts stop or a vector", () => {
    expect(hybrid.parse("stop")).toBe("stop");
    expect(hybrid.parse({ name: "stop" })).toBe("stop");
    expect(hybrid.parse([1, 2, 3])).toEqual([1, 2, 3]);
    expect(hybrid.parse({ qpos: [1, 2, 3] })).toEqual([1, 2, 3]);
  });

  it("a hybrid action space names both forms when it receives neither", () => {
    expect(rejection(hybrid, 5).hint).toBe("send one of: stop, or a list of 3 finite numbers");
    expect(rejection(hybrid, "go").code).toBe("bad_action");
    expect(rejection(hybrid, [1]).code).toBe("bad_action");
  });
});

describe("a value that is not an action", () => {
  it.each([null, undefined, 7, true, {}, { name: 3 }, { qpos: "a" }, { action: "stop" }])(
    "a value that is not an action causes a ProtocolError: %j",
    (raw) => {
      for (const space of [discrete, continuous, hybrid]) {
        expect(rejection(space, raw).code).toBe("bad_action");
      }
    },
  );

  it("a value that is not an action never causes an error other than a ProtocolError", () => {
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

describe("the limits of an action space", () => {
  it("the limits of an action space are one pair for all dimensions or one pair per dimension", () => {
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

  it("the limits of an action space are undefined if the space has none", () => {
    expect(hybrid.limits(0)).toBeUndefined();
  });
});

describe("the size of an action space", () => {
  it("the size of an action space is the product of the shape, and 0 for a discrete space", () => {
    expect(new ActionSpace({ name: "continuous", shape: [2, 7] }).size).toBe(14);
    expect(discrete.size).toBe(0);
    expect(discrete.shape).toBeUndefined();
    expect(continuous.actions).toBeUndefined();
  });
});

describe("a sampled action", () => {
  it("a sampled action is accepted by its space and within the limits", () => {
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

  it("a sampled action can be every named action", () => {
    const random = new Random(1);
    const seen = new Set(Array.from({ length: 200 }, () => discrete.sample(random)));
    expect([...seen].sort()).toEqual([...(discrete.actions ?? [])].sort());
  });

  it("a sampled action is within -1 and 1 if the space has no limits", () => {
    const random = new Random(2);
    const values = Array.from({ length: 100 }, () => hybrid.sample(random))
      .flat()
      .map(Number);
    expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(Math.min(...values)).toBeLessThan(-0.9);
    expect(Math.max(...values)).toBeGreaterThan(0.9);
  });
});

describe("a sampled action of a hybrid space with several names", () => {
  it("a sampled action of a hybrid space with several names is each name but stop as often as a vector", () => {
    const space = new ActionSpace({
      name: "hybrid",
      actions: ["stop", "move_forward", "turn_left"],
      shape: [2],
    });
    const random = new Random(3);
    const drawn = Array.from({ length: 3000 }, () => space.sample(random));
    const count = (name: string | undefined) =>
      drawn.filter((action) => (typeof action === "string" ? action : undefined) === name).length;
    expect(count("stop")).toBe(0);
    for (const name of ["move_forward", "turn_left", undefined]) {
      expect(count(name)).toBeGreaterThan(900);
      expect(count(name)).toBeLessThan(1100);
    }
  });
});

describe("a sensor suite", () => {
  const suite = new SensorSuite({ sensors: { rgb: { width: 640 }, gps: {} } });

  it("a sensor suite returns the settings of a sensor, and an empty object for an unknown sensor", () => {
    expect(suite.get("rgb")).toEqual({ width: 640 });
    expect(suite.get("lidar")).toEqual({});
    expect(suite.get("constructor")).toEqual({});
  });

  it("a sensor suite lists its sensors by name", () => {
    expect(suite.names()).toEqual(["rgb", "gps"]);
    expect(suite.has("gps")).toBe(true);
    expect(suite.has("toString")).toBe(false);
  });
});
