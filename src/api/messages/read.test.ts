import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../../core/errors.js";
import { MESSAGE_TYPES, type Message } from "./base.js";
import { messages } from "./messages.fixture.js";
import { readMessage } from "./read.js";

describe("readMessage", () => {
  it("readMessage keeps a message of any type, including unknown fields", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(messages, (message) => {
        seen.add(message.type);
        expect(readMessage(message)).toEqual(message);
      }),
      { numRuns: 400 },
    );
    expect([...seen].sort()).toEqual([...MESSAGE_TYPES].sort());
  });

  it("readMessage accepts the plain form", () => {
    const plain: Partial<Message>[] = [
      { type: "connect", session_id: "S" },
      { type: "connected" },
      { type: "action", session_id: "S", action: [0.1] },
      { type: "heartbeat" },
      { type: "error", code: "x", message: "y" },
      { type: "disconnect" },
    ];
    for (const message of plain) expect(readMessage(message)).toMatchObject(message);
    expect(readMessage(plain[3])).toMatchObject({ session_id: "", t: 0 });
    expect(readMessage(plain[4])).toMatchObject({ session_id: "", fatal: false });
  });

  it("readMessage removes control characters and truncates long text", () => {
    const long = `\u001b]0;x\u0007\u0000${"y".repeat(5_000_000)}`;
    const told: unknown[] = [
      { type: "error", code: long, message: long },
      { type: "disconnect", reason: long },
      { type: "connect", role: "agent", capabilities: { sensors: [long] } },
      { type: "connect", role: "agent", capabilities: { conventions: { [long]: long } } },
    ];
    for (const message of told) {
      const text = JSON.stringify(readMessage(message));
      expect(text.length).toBeLessThan(3000);
      expect(text).not.toMatch(/\\u00|\p{Cc}/u);
    }
    const token = "t\u0000".repeat(2000);
    expect(readMessage({ type: "connect", role: "agent", token })).toMatchObject({ token });
    const lines = { type: "error", code: "oom", message: "first\n\tsecond" };
    expect(readMessage(lines)).toMatchObject(lines);
    const wrong = { type: "connect", role: "agent", capabilities: { conventions: { [long]: [] } } };
    expect(() => readMessage(wrong)).toThrow(/^.{1,2000}$/u);
  });

  it.each([null, 3, "connect", [], [{ type: "connect" }]])(
    "readMessage rejects %j, which is not an object",
    (value) => {
      expect(() => readMessage(value)).toThrow(ProtocolError);
    },
  );

  it("readMessage suggests the closest name for an unknown type", () => {
    try {
      readMessage({ type: "get_actoin", session_id: "S" });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "unknown_type" });
      expect((error as ProtocolError).hint).toContain("get_action");
    }
  });

  const wrong: [fields: object, part: string][] = [
    [{ type: "connect", role: "spectator" }, "connect: role"],
    [{ type: "connect", role: "agent", capabilities: { sessions: 0 } }, "capabilities.sessions"],
    [{ type: "reset_episode", session_id: "S" }, "reset_episode: episode"],
    [{ type: "reset_episode", session_id: "S", episode: { episode_id: 3 } }, "episode.episode_id"],
    [{ type: "get_action", session_id: "S", task_type: "vln", observation: [1] }, "observation"],
    [{ type: "get_action", session_id: 7, task_type: "vln", observation: {} }, "session_id"],
    [{ type: "action", session_id: "S" }, "either `action` or `actions`"],
    [{ type: "action", session_id: "S", action: "a", actions: ["b"] }, "either"],
    [{ type: "action", session_id: "S", actions: [] }, "actions"],
    [{ type: "action", session_id: "S", action: "a", seq: -1 }, "seq"],
    [{ type: "action", session_id: "S", action: "a", seq: 1.5 }, "seq"],
    [{ type: "heartbeat", session_id: "S", t: "now" }, "heartbeat: t"],
    [{ type: "episode_end", session_id: "S", episode_id: "e", reason: "stop" }, "steps"],
  ];
  it.each(wrong)("readMessage rejects %j and names the field", (fields, part) => {
    expect(() => readMessage(fields)).toThrow(part);
  });

  it("readMessage stores the key __proto__ of an observation without changing its prototype", () => {
    const observation = JSON.parse('{"__proto__":{"polluted":1},"gps":[1]}');
    readMessage({ type: "get_action", session_id: "S", task_type: "vln", observation });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
