import { describe, expect, it } from "vitest";
import { ConfigError } from "../../core/errors.js";
import { parseAgentSpec } from "./agent-spec.js";

const one = (spec: string) => parseAgentSpec(spec)("vln", "vln");

describe("an agent named for all tasks", () => {
  it.each([
    ["random", "random", undefined],
    ["shortest-path", "shortest-path", undefined],
    ["replay:runs/2024", "replay", "runs/2024"],
    ["replay:/a=b/c:d", "replay", "/a=b/c:d"],
    ["ws://host:8000", "ws", "ws://host:8000"],
    ["openpi+ws://host:8000/x?a=1", "openpi+ws", "openpi+ws://host:8000/x?a=1"],
    ["replay:", "replay", ""],
    ["replay:C:\\runs\\2024", "replay", "C:\\runs\\2024"],
    ["replay:C:/runs/2024", "replay", "C:/runs/2024"],
    ["replay:\\\\server\\share\\2024", "replay", "\\\\server\\share\\2024"],
  ])("parseAgentSpec parses %s to its name and argument", (spec, name, argument) => {
    expect(one(spec)).toEqual({ name, argument });
  });

  it.each(["", ":x"])("parseAgentSpec rejects the SPEC %j, which has no name", (spec) => {
    expect(() => one(spec)).toThrow(ConfigError);
  });
});

describe("agents named for each task", () => {
  it("the agent of a task is found by the task name, then by its type", () => {
    const agentOf = parseAgentSpec("vln=shortest-path,pick_place=ws://h:1/a,b");
    expect(agentOf("vln", "vln").name).toBe("shortest-path");
    expect(agentOf("kitchen", "pick_place")).toEqual({ name: "ws", argument: "ws://h:1/a,b" });
    const byName = parseAgentSpec("kitchen=random,pick_place=expert");
    expect(byName("kitchen", "pick_place").name).toBe("random");
  });

  it("parseAgentSpec accepts replays of runs under a Windows drive letter for each task", () => {
    const agentOf = parseAgentSpec("vln=replay:C:\\runs\\a,pick_place=replay:D:\\runs\\b");
    expect(agentOf("vln", "vln")).toEqual({ name: "replay", argument: "C:\\runs\\a" });
    expect(agentOf("kitchen", "pick_place")).toEqual({ name: "replay", argument: "D:\\runs\\b" });
  });

  it("parseAgentSpec rejects a SPEC that leaves out a task", () => {
    expect(() => parseAgentSpec("vln=random")("stacking", "stacking")).toThrow(ConfigError);
    try {
      parseAgentSpec("vln=random")("stacking", "stacking");
    } catch (error) {
      expect(error).toMatchObject({ code: "no_agent", hint: "add stacking=<agent>" });
    }
  });

  it("parseAgentSpec accepts every task name that a benchmark accepts", () => {
    const agentOf = parseAgentSpec("导航=random,küche=expert");
    expect(agentOf("导航", "vln").name).toBe("random");
    expect(agentOf("küche", "pick_place").name).toBe("expert");
  });

  it("parseAgentSpec rejects a SPEC with a part that has no agent", () => {
    expect(() => parseAgentSpec("vln=,pick_place=expert")).toThrow(ConfigError);
  });
});
