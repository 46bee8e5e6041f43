import { describe, expect, it } from "vitest";
import { RegistryError } from "./errors.js";
import { getProfile, PROFILES, rulesOf } from "./profiles.js";

describe("profiles", () => {
  it("profiles have the name that they are listed under", () => {
    for (const [name, profile] of Object.entries(PROFILES)) expect(profile.name).toBe(name);
  });

  // Radii and stop rules of the reference systems: Anderson et al. 2018, Habitat-Lab, VLN-CE.
  it.each([
    ["design", "vln", 0.2],
    ["habitat", "image_nav", 0.2],
    ["habitat", "objectnav", 0.1],
    ["vlnce", "vln", 3],
    ["r2r", "vln", 3],
    ["ndh", "vln", 3],
  ])("profile %s has for %s a success distance of %d m", (profile, taskType, metres) => {
    expect(rulesOf(taskType, { profile }).successDistanceM).toBe(metres);
  });

  it.each([
    ["design", false, true],
    ["habitat", true, false],
    ["vlnce", true, false],
    ["r2r", false, false],
    ["ndh", false, false],
  ])("profile %s: stop required: %s, arrival ends the episode: %s", (profile, stop, arrival) => {
    const rules = rulesOf("vln", { profile });
    expect([rules.stopRequired, rules.arrivalEnds]).toEqual([stop, arrival]);
  });

  it("profiles report success first", () => {
    for (const profile of Object.values(PROFILES)) expect(profile.metrics[0]).toBe("success");
  });

  it("profiles are suggested for a misspelt name", () => {
    expect(() => getProfile("vlcne")).toThrow(RegistryError);
    expect(() => getProfile("vlcne")).toThrow('unknown profile "vlcne"');
    try {
      getProfile("vlcne");
    } catch (error) {
      expect(error).toMatchObject({
        code: "unknown_profile",
        hint: 'did you mean "vlnce"? valid: design, habitat, vlnce, r2r, ndh, ovmm',
      });
    }
    expect(() => getProfile("toString")).toThrow(RegistryError);
  });
});

describe("rulesOf", () => {
  it("rulesOf uses the profile design when the config names none", () => {
    expect(rulesOf("vln", {})).toMatchObject({
      name: "design",
      successDistanceM: 0.2,
      stopRequired: false,
      arrivalEnds: true,
    });
  });

  it("rulesOf prefers the success distance of the config over that of the profile", () => {
    expect(rulesOf("objectnav", { profile: "habitat", success_distance: 1 })).toMatchObject({
      name: "habitat",
      successDistanceM: 1,
      stopRequired: true,
    });
  });
});
