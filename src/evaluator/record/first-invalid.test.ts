import { describe, expect, it } from "vitest";
import { episodeLine } from "../../../test/support/cli.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { FirstInvalid } from "./first-invalid.js";

const invalid = (code: string, fault: EpisodeLine["fault"] = "data") =>
  episodeLine({
    outcome: "invalid",
    fault: fault ?? "data",
    error: { code, message: `no ${code}` },
  });

describe("FirstInvalid", () => {
  it("FirstInvalid gives the causes once when the first episodes are all invalid, the most frequent first", () => {
    const first = new FirstInvalid(3);
    expect(first.see(invalid("physics", "platform"))).toBeUndefined();
    expect(first.see(invalid("scene"))).toBeUndefined();
    expect(first.see(invalid("scene"))).toBe(
      "the first 3 episodes are all invalid, through no fault of the agent: 2 by scene, the first: no scene; 1 by physics, the first: no physics",
    );
    expect(first.see(invalid("scene"))).toBeUndefined();
  });

  it.each([episodeLine({ outcome: "failure" }), invalid("policy_lost", "agent")])(
    "FirstInvalid says nothing after an episode that the data and the platform let run",
    (line) => {
      const first = new FirstInvalid(2);
      first.see(invalid("scene"));
      first.see(line);
      expect([first.see(invalid("scene")), first.see(invalid("scene"))]).toEqual([
        undefined,
        undefined,
      ]);
    },
  );

  it("FirstInvalid never stops a resumed run in which an episode could run before", () => {
    const first = new FirstInvalid(2);
    first.addRecorded(invalid("scene"));
    first.addRecorded(episodeLine({ outcome: "success" }));
    for (let i = 0; i < 5; i++) expect(first.see(invalid("scene"))).toBeUndefined();
  });

  it("FirstInvalid does not count invalid episodes from before the run was resumed", () => {
    const first = new FirstInvalid(2);
    first.addRecorded(invalid("scene"));
    expect(first.see(invalid("scene"))).toBeUndefined();
    expect(first.see(invalid("scene"))).toContain("the first 2 episodes are all invalid");
  });

  it("FirstInvalid never stops a run with the limit 0", () => {
    const first = new FirstInvalid(0);
    for (let i = 0; i < 50; i++) expect(first.see(invalid("scene"))).toBeUndefined();
  });
});
