import { describe, expect, it } from "vitest";
import { RegistryError } from "./errors.js";
import { Registry, suggestion } from "./registry.js";

function thrownBy(work: () => unknown): RegistryError {
  try {
    work();
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function metrics(...names: string[]): Registry<number> {
  const registry = new Registry<number>("metric");
  for (const [i, name] of names.entries()) registry.register(name, i);
  return registry;
}

describe("a registry", () => {
  it("a registry returns what was registered, and lists names in the order of registration", () => {
    const registry = metrics("spl", "cls", "ndtw");
    expect(registry.get("cls")).toBe(1);
    expect(registry.list()).toEqual(["spl", "cls", "ndtw"]);
    expect([...registry.entries()]).toEqual([
      ["spl", 0],
      ["cls", 1],
      ["ndtw", 2],
    ]);
    expect(registry.has("spl")).toBe(true);
    expect(registry.has("SPL")).toBe(false);
  });

  it("a registry rejects a name that is already registered, and keeps the first entry", () => {
    const registry = metrics("spl");
    const error = thrownBy(() => registry.register("spl", 7));
    expect(error.code).toBe("duplicate_metric");
    expect(error.message).toContain('"spl"');
    expect(error.hint).toContain("createRegistries()");
    expect(registry.get("spl")).toBe(0);
  });

  it("a registry rejects an empty name", () => {
    expect(thrownBy(() => metrics("")).code).toBe("empty_name");
  });

  it("a registry rejects an unknown name with the closest name and a list of all", () => {
    const error = thrownBy(() => metrics("success", "spl").get("sucess"));
    expect(error.code).toBe("unknown_metric");
    expect(error.message).toBe('unknown metric "sucess"');
    expect(error.hint).toBe('did you mean "success"? valid: success, spl');
    expect(error.exitCode).toBe(2);
  });

  it("a registry does not find names of Object.prototype", () => {
    const registry = metrics("spl");
    expect(registry.has("constructor")).toBe(false);
    expect(() => registry.get("__proto__")).toThrow(RegistryError);
  });
});

describe("a suggestion", () => {
  it("a suggestion ignores case", () => {
    expect(suggestion("VLN", ["vln", "objectnav"])).toContain('did you mean "vln"?');
  });

  it("a suggestion is omitted for a name that is not close to any other", () => {
    expect(suggestion("teleport", ["spl", "cls"])).toBe("valid: spl, cls");
  });

  it("a suggestion names the closest, not the first that is close", () => {
    expect(suggestion("oracle_succes", ["success", "oracle_success"])).toContain(
      'did you mean "oracle_success"?',
    );
  });

  it("a suggestion says that no names exist when the list is empty", () => {
    expect(suggestion("spl", [])).toBe("none exist");
  });
});
