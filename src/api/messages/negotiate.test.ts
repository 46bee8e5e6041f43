import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agree, checkVersion, encodingOf } from "./negotiate.js";

describe("what two sides agree on", () => {
  it("is the first encoding of who dials that who listens knows", () => {
    const encodings = (dialer: string[] | undefined, listener: string[] | undefined) =>
      agree(dialer ? { encodings: dialer } : {}, listener ? { encodings: listener } : {}, {})
        .encodings;
    expect(encodings(["msgpack", "json"], undefined)).toEqual(["msgpack"]);
    expect(encodings(["json", "msgpack"], ["msgpack", "json"])).toEqual(["json"]);
    expect(encodings(["zstd", "msgpack"], ["json", "msgpack"])).toEqual(["msgpack"]);
    expect(encodings(["msgpack"], ["json"])).toEqual(["json"]);
    expect(encodings(undefined, undefined)).toEqual(["json"]);
  });

  it("is the lesser number of sessions; who says none has one", () => {
    const count = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
    fc.assert(
      fc.property(count, count, (dialer, listener) => {
        const said = (sessions: number | undefined) => (sessions ? { sessions } : {});
        const { sessions } = agree(said(dialer), said(listener), {});
        expect(sessions).toBe(Math.min(dialer ?? 1, listener ?? 1));
      }),
    );
  });

  it("is what the policy says of itself, whichever side it is", () => {
    const policy = { sensors: ["rgb"], action_chunk: 8, conventions: { control_hz: 20 } };
    const other = { sensors: ["depth"], action_chunk: 1 };
    expect(agree(policy, other, policy)).toMatchObject(policy);
    expect(agree(other, policy, policy)).toMatchObject(policy);
    expect(agree({}, {}, {})).toEqual({ encodings: ["json"], sessions: 1 });
  });

  it("is JSON where nothing is said", () => {
    expect([encodingOf({}), encodingOf({ encodings: ["msgpack"] })]).toEqual(["json", "msgpack"]);
    expect(encodingOf({ encodings: ["cbor"] })).toBe("json");
  });
});

describe("a version", () => {
  it("fits if its first number does, or if it is not told", () => {
    for (const version of [undefined, "1.0", "1.7", "1"]) {
      expect(() => checkVersion(version)).not.toThrow();
    }
  });

  it.each(["2.0", "0.9", "", "one"])("%j does not", (version) => {
    expect(() => checkVersion(version)).toThrow(`speaks protocol ${version}`);
  });
});
