import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agree, checkVersion, encodingOf } from "./negotiate.js";

describe("negotiated capabilities", () => {
  it("negotiated capabilities use the first encoding of the dialling side that the listening side supports", () => {
    const encodings = (dialer: string[] | undefined, listener: string[] | undefined) =>
      agree(dialer ? { encodings: dialer } : {}, listener ? { encodings: listener } : {}, {})
        .encodings;
    expect(encodings(["msgpack", "json"], undefined)).toEqual(["msgpack"]);
    expect(encodings(["json", "msgpack"], ["msgpack", "json"])).toEqual(["json"]);
    expect(encodings(["zstd", "msgpack"], ["json", "msgpack"])).toEqual(["msgpack"]);
    expect(encodings(["msgpack"], ["json"])).toEqual(["json"]);
    expect(encodings(undefined, undefined)).toEqual(["json"]);
  });

  it("negotiated capabilities use the smaller number of sessions, with a default of one", () => {
    const count = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
    fc.assert(
      fc.property(count, count, (dialer, listener) => {
        const said = (sessions: number | undefined) => (sessions ? { sessions } : {});
        const { sessions } = agree(said(dialer), said(listener), {});
        expect(sessions).toBe(Math.min(dialer ?? 1, listener ?? 1));
      }),
    );
  });

  it("negotiated capabilities take the declarations of the policy, whichever side dials", () => {
    const policy = { sensors: ["rgb"], action_chunk: 8, conventions: { control_hz: 20 } };
    const other = { sensors: ["depth"], action_chunk: 1 };
    expect(agree(policy, other, policy)).toMatchObject(policy);
    expect(agree(other, policy, policy)).toMatchObject(policy);
    expect(agree({}, {}, {})).toEqual({ encodings: ["json"], sessions: 1 });
  });

  it("negotiated capabilities fall back to JSON if neither side names an encoding", () => {
    expect([encodingOf({}), encodingOf({ encodings: ["msgpack"] })]).toEqual(["json", "msgpack"]);
    expect(encodingOf({ encodings: ["cbor"] })).toBe("json");
  });
});

describe("protocol version check", () => {
  it("the protocol version check accepts the same major version or no version", () => {
    for (const version of [undefined, "1.0", "1.7", "1"]) {
      expect(() => checkVersion(version)).not.toThrow();
    }
  });

  it.each(["2.0", "0.9", "", "one"])("the protocol version check rejects %j", (version) => {
    expect(() => checkVersion(version)).toThrow(`uses protocol ${version}`);
  });
});
