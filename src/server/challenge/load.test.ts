import { describe, expect, it } from "vitest";
import { BadConfigError } from "../../config/issues.js";
import { phaseState } from "./config.js";
import { loadChallenge, parseChallenge } from "./load.js";

const PHASE = `
  - name: test
    benchmark: configs/benchmarks/vln_graph.yaml
    metrics: [success, spl]
    leaderboard: spl`;

function problemsOf(text: string): string[] {
  try {
    parseChallenge(text, "challenge.yaml");
    return [];
  } catch (error) {
    if (!(error instanceof BadConfigError)) throw error;
    return error.issues.map(({ where, message }) => `${where}: ${message}`);
  }
}

describe("a challenge file", () => {
  it("a challenge file is valid for the shipped example", () => {
    const { config, phases, phase } = loadChallenge("configs/challenges/example.yaml");
    expect(phases.map((one) => one.benchmark.config.benchmark.name)).toHaveLength(2);
    expect(phase("test")?.config).toMatchObject({ hidden: true, disclose: [] });
    expect(phase("practice")?.benchmark.config.dataset.vln?.data_path).toContain("train");
    expect(config.limits).toMatchObject({ evaluations: 2, evaluations_per_team: 1 });
  });

  it("a challenge file is rejected with the locations of all mistakes", () => {
    const text = `name: x
phases:
  - name: Test 1
    benchmark: configs/benchmarks/vln_graph.yaml
    metrics: [success]
    leaderboard: success
    closses: 2027-01-01T00:00:00Z
limits:
  wall_clock: fast
`;
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^challenge.yaml:3:11: phases.0.name: /),
      expect.stringMatching(/^challenge.yaml:7:5: phases.0.closses: unknown key/),
      expect.stringMatching(/^challenge.yaml:9:15: limits.wall_clock: expected .*"fast"/),
    ]);
  });

  it("a challenge file must rank by a shown metric, name each phase once, and close phases after they open", () => {
    expect(
      problemsOf(`name: x\nphases:${PHASE.replace("leaderboard: spl", "leaderboard: ndtw")}`),
    ).toEqual([expect.stringContaining("not one of the phase's metrics")]);
    expect(problemsOf(`name: x\nphases:${PHASE}${PHASE}`)).toEqual([
      expect.stringContaining('the phase "test" is defined twice'),
    ]);
    const times = "\n    opens: 2027-01-02T00:00:00Z\n    closes: 2027-01-01T00:00:00Z";
    expect(problemsOf(`name: x\nphases:${PHASE}${times}`)).toEqual([
      expect.stringContaining("not after `opens`"),
    ]);
    expect(problemsOf(`name: x\nphases:${PHASE}\n    opens: tomorrow`)).toEqual([
      expect.stringContaining("phases.0.opens"),
    ]);
  });
});

describe("a phase", () => {
  it("a phase is open from opens until closes", () => {
    const times = { opens: "2027-01-01T00:00:00Z", closes: "2027-01-02T01:00:00+01:00" };
    const at = (moment: string) => phaseState(times, new Date(moment));
    expect(at("2026-12-31T23:59:59Z")).toBe("before");
    expect(at("2027-01-01T00:00:00Z")).toBe("open");
    expect(at("2027-01-02T00:00:00Z")).toBe("closed");
    expect(phaseState({}, new Date(0))).toBe("open");
  });
});
