import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createRegistries } from "../registry/registries.js";
import { CATALOGS } from "./catalog.js";
import { describeCommand } from "./commands/describe.js";
import { listCommand } from "./commands/list.js";

let printed = "";
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += chunk;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function output(command: "list" | "describe", ...args: readonly string[]): Promise<string> {
  printed = "";
  const made = command === "list" ? listCommand() : describeCommand();
  await made.parseAsync(args, { from: "user" });
  return printed;
}

describe.each(Object.entries(CATALOGS))("%s", (kind, catalog) => {
  const names = catalog(createRegistries()).map(({ name }) => name);

  it("every entry is listed by name with one sentence", async () => {
    const entries = JSON.parse(await output("list", kind, "--json"));
    expect(entries.map(({ name }: { name: string }) => name)).toEqual(names);
    for (const { summary } of entries) expect(summary).not.toBe("");
    const table = await output("list", kind);
    for (const name of names) expect(table).toContain(name);
  });

  it("every entry can be described with snake_case keys", async () => {
    for (const name of names) {
      const [plainName = ""] = name.split(":");
      const document = JSON.parse(await output("describe", kind, plainName, "--json"));
      expect(document.name).toBe(name);
      for (const key of Object.keys(document)) expect(key).toMatch(/^[a-z0-9_]+$/);
      expect(await output("describe", kind, plainName)).toMatch(/^name: /);
    }
  });
});

it("robot-eval list and describe show what a plugin registers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-catalog-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const plugin = join(folder, "lever.mjs");
  const joint = '{ name: "lever", unit: "rad", limits: [-1, 1] }';
  writeFileSync(
    plugin,
    `export default { robotType: "lever", description: "one joint", gripperDof: 0,
      joints: [${joint}], dofs: [{ ...${joint}, joints: ["lever"] }] };`,
  );
  expect(await output("list", "robots", "--plugin", plugin)).toContain("one joint");
  const document = JSON.parse(
    await output("describe", "robots", "lever", "--json", "--plugin", plugin),
  );
  expect(document).toMatchObject({ dof: 1, body: "none: known by name" });
  expect(await output("list", "robots")).not.toContain("lever");
});

it("robot-eval describe shows a robot with its home pose, hand, gripper and cameras", async () => {
  const document = JSON.parse(await output("describe", "robots", "stretch", "--json"));
  expect(document.home).toHaveLength(document.dof);
  expect(document.gripper).toEqual({ dof: "gripper", open: 0.04, closed: 0, opening_m: 0.08 });
  expect(document).toMatchObject({ end_effector: expect.any(String), body: "its own" });
  expect(Object.keys(document.cameras)).toEqual(["head", "wrist"]);
});

it("robot-eval describe suggests the nearest name for an unknown one", async () => {
  await expect(output("describe", "metrics", "sucess")).rejects.toMatchObject({
    code: "unknown_name",
    exitCode: 2,
    hint: expect.stringContaining('did you mean "success"?'),
  });
});
