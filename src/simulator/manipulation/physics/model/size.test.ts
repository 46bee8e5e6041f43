import { describe, expect, it } from "vitest";
import { DataError } from "../../../../core/errors.js";
import { loadMujoco } from "../mujoco.js";
import { Physics } from "../physics.js";
import { compileModel, type ModelFiles, mujocoError } from "./compile.js";
import { checkFileSizes } from "./size.js";

const GEOM = '<geom size="0.1"/>';

/** A model with the given elements in its world and in the sections before and after it. */
function model(world: string, before = "", after = ""): string {
  return `<mujoco>\n${before}<worldbody>${GEOM}${world}</worldbody>${after}</mujoco>`;
}

/** The error of compiling a model; undefined if it compiles. */
async function refusal(xml: string, files: ModelFiles = {}): Promise<DataError | undefined> {
  try {
    (await Physics.create(xml, { files, where: "scene.xml" })).dispose();
    return undefined;
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
const asset = (text: string) => model("", `<asset>${text}</asset>`);
const texture = (attributes: string) => asset(`<texture name="t" builtin="flat" ${attributes}/>`);
const mesh = (attributes: string) =>
  model('<geom type="mesh" mesh="m"/>', `<asset><mesh name="m" ${attributes}/></asset>`);
const cable = (count: number) =>
  model(
    `<composite type="cable" count="${count} 1 1" curve="s" size="1"><joint kind="main"/><geom type="capsule" size=".005"/></composite>`,
  );
const replicate = (count: number, content: string) =>
  `<replicate count="${count}" offset="1 0 0">${content}</replicate>`;
const sensor = (text: string) => model('<site name="s"/>', "", `<sensor>${text}</sensor>`);

/** Models that MuJoCo aborts at, answers after minutes or needs gigabytes for, and what the error names. */
const HOSTILE: readonly (readonly [string, string, string])[] = [
  [
    "a million copies",
    model(replicate(1_000_000, GEOM)),
    "more than 10000 elements are added by <replicate>",
  ],
  [
    "copies of copies",
    model(replicate(30, replicate(30, replicate(30, GEOM)))),
    "more than 10000 elements are added by <replicate>",
  ],
  [
    "many small sets of copies",
    model(Array.from({ length: 200 }, () => replicate(100, GEOM)).join("")),
    "more than 10000 elements are added by <replicate>",
  ],
  [
    "copies that are declared without spaces between attributes",
    model(`<replicate offset="1 0 0"count="1000000">${GEOM}</replicate>`),
    "more than 10000 elements are added by <replicate>",
  ],
  [
    "copies whose number is written with character references",
    model(`<replicate offset="1 0 0" count="&#57;&#x39;99999">${GEOM}</replicate>`),
    "more than 10000 elements are added by <replicate>",
  ],
  ["a cable of 10,000 parts", cable(10_000), '<composite count="10000 1 1">'],
  [
    "a cloth of 10^9 points",
    model('<flexcomp name="f" type="grid" count="1000 1000 1000" spacing=".1 .1 .1" dim="3"/>'),
    '<flexcomp count="1000 1000 1000">',
  ],
  [
    "a height field of 10^10 points",
    asset('<hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/>'),
    'nrow="100000"',
  ],
  [
    "a large flat texture",
    texture('type="2d" width="100000" height="100000"'),
    "more than 67108864 pixels",
  ],
  [
    "a large cube texture",
    texture('type="cube" width="10000" height="10000"'),
    "more than 67108864 pixels",
  ],
  ["a large texture without a type", texture('width="10000"'), "more than 67108864 pixels"],
  [
    "many textures",
    asset(
      Array.from(
        { length: 100 },
        (_, i) => `<texture name="${i}" type="2d" builtin="flat" width="1000" height="1000"/>`,
      ).join(""),
    ),
    "more than 67108864 pixels",
  ],
  [
    "a texture of a million channels",
    texture('type="2d" nchannel="1000000" width="9" height="9"'),
    'nchannel="1000000"',
  ],
  ["a cone of a million sides", mesh('builtin="cone" params="1000000 1"'), 'params="1000000"'],
  ["10^8 user numbers", model("", '<size nuser_body="100000000"/>'), 'nuser_body="100000000"'],
  ["10^7 keyframes", model("", '<size nkey="10000000"/>'), 'nkey="10000000"'],
  [
    "a solver that never converges",
    model("", '<option tolerance="0" iterations="2000000000"/>'),
    'iterations="2000000000"',
  ],
  ["a sensor of 10^8 numbers", sensor('<user dim="200000000"/>'), 'dim="200000000"'],
  [
    "a muscle that is measured in 10^15 steps",
    model(
      `<body><joint name="j"/>${GEOM}</body>`,
      '<compiler><lengthrange inttotal="1e9" timestep="1e-6"/></compiler>',
      '<actuator><muscle joint="j"/></actuator>',
    ),
    "<lengthrange",
  ],
];

describe("a model from whose few bytes MuJoCo makes too much", () => {
  it.each(HOSTILE)(
    "a model from whose few bytes MuJoCo makes too much is rejected before MuJoCo reads it: %s",
    async (_, xml, named) => {
      const error = await refusal(xml);
      expect(error).toMatchObject({
        ...{ code: "mjcf_too_large", where: expect.stringMatching(/^scene\.xml:[12]$/) },
        message: expect.stringContaining(named),
      });
      expect(error?.message).toMatch(/allowed$/);
      expect(error?.hint).toContain("smaller");
    },
  );

  it("a model from whose few bytes MuJoCo makes too much is rejected if an included file has it, whatever the name and first characters of the file", async () => {
    const hidden = `not XML\n<anything>${replicate(1_000_000, GEOM)}</anything>`;
    const files = { "picture.png": bytes(hidden) };
    expect(await refusal(model('<include file="picture.png"/>'), files)).toMatchObject({
      ...{ code: "mjcf_too_large", where: "picture.png:2" },
    });
  });

  it("a model from whose few bytes MuJoCo makes too much is rejected if models attach models that attach models", async () => {
    const attaches = Array.from(
      { length: 10 },
      (_, i) => `<attach model="next" body="b" prefix="p${i}"/>`,
    ).join("");
    const level = (next: string) =>
      `<mujoco><asset><model name="next" file="${next}"/></asset><worldbody><body name="b">${attaches}</body></worldbody></mujoco>`;
    const files = Object.fromEntries([
      ...[1, 2, 3, 4].map((i) => [`${i}.xml`, bytes(level(`${i + 1}.xml`))] as const),
      ["5.xml", bytes(`<mujoco><worldbody><body name="b">${GEOM}</body></worldbody></mujoco>`)],
    ]);
    expect(await refusal(level("1.xml"), files)).toMatchObject({
      ...{ code: "mjcf_too_large", where: "scene.xml" },
      message: expect.stringContaining("<attach> makes up to"),
    });
  });
});

/** Geoms in a row. */
function repeatedGeoms(count: number): string {
  return Array.from({ length: count }, (_, i) => `<geom size="0.1" pos="${i} 0 0"/>`).join("");
}

/** Boxes on slide joints along x, and the solver's cheapest settings. */
function boxes(count: number, distance: number): string {
  const box = (i: number) =>
    `<body pos="${i * distance} 0 0"><joint name="j${i}" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1"/></body>`;
  return model(
    Array.from({ length: count }, (_, i) => box(i)).join(""),
    '<option iterations="1" ls_iterations="1"/>',
  );
}

describe("a model that is large as written", () => {
  const repeated = (count: number, text: string) => Array.from({ length: count }, () => text);
  const BODY = `<body><freejoint/>${GEOM}</body>`;
  const numbers = (count: number) => repeated(count, "1").join(" ");

  it.each([
    ["geoms", model(repeated(20_001, GEOM).join("")), "more than 20000 elements"],
    ["free bodies", model(repeated(2001, BODY).join("")), "more than 2000 joints"],
    ["vertices", mesh(`vertex="${numbers(300_003)}"`), "more than 300000 numbers"],
    ["characters", model(`<!-- ${"x".repeat(2 ** 24)} -->`), "more than 16777216 characters"],
  ])(
    "a model that is large as written is rejected before MuJoCo reads it: too many %s",
    async (_, xml, named) => {
      expect(await refusal(xml)).toMatchObject({
        ...{ code: "mjcf_too_large", message: expect.stringContaining(named) },
      });
    },
  );

  it("a model that is large as written is rejected if its elements are in several files", async () => {
    const half = `<mujoco><worldbody>${repeated(10_000, GEOM).join("")}</worldbody></mujoco>`;
    const files = { "a.xml": bytes(half), "b.xml": bytes(half) };
    const xml = model('<include file="a.xml"/><include file="b.xml"/>');
    expect(await refusal(xml, files)).toMatchObject({
      ...{ code: "mjcf_too_large", message: expect.stringContaining("more than 20000 elements") },
    });
  });

  it("a model that is large as written is rejected if its bodies overlap at the start, before MuJoCo solves for their contacts", async () => {
    expect(await refusal(boxes(100, 1e-4))).toMatchObject({
      ...{ code: "mjcf_too_large", where: "scene.xml" },
      message: expect.stringMatching(
        /^the model starts with \d+ contacts; at most 5000 are simulated$/,
      ),
    });
  });

  it("a model that is large as written ends the simulation if its bodies come to overlap", async () => {
    const physics = await Physics.create(boxes(60, 1));
    try {
      physics.step(2);
      expect(physics.diverged()).toBeUndefined();
      physics.reset();
      for (let i = 0; i < 60; i++) physics.setJoint(`j${i}`, -i * (1 - 1e-4));
      physics.step(5);
      expect(physics.diverged()).toMatch(
        /^the bodies have \d+ contacts; at most 5000 are simulated$/,
      );
      expect(physics.timeS()).toBeCloseTo(physics.timestepS, 9);
    } finally {
      physics.dispose();
    }
  });
});

describe("a model of a usual size", () => {
  it.each([
    ["with 3000 geoms", model(repeatedGeoms(3000))],
    ["with copies", model(replicate(20, replicate(20, GEOM)))],
    ["with a cable", cable(30)],
    ["with a sky", texture('type="skybox" width="512" height="3072"')],
    ["with a terrain", asset('<hfield name="h" nrow="200" ncol="200" size="1 1 1 1"/>')],
    ["with a generated mesh", mesh('builtin="cone" params="40 1"')],
    ["with large buffers", model("", '<size njmax="5000" nconmax="5000" nuser_geom="5"/>')],
    ["with more solver iterations", model("", '<option iterations="200" ls_iterations="100"/>')],
  ])("a model of a usual size compiles: %s", async (_, xml) => {
    expect(await refusal(xml)).toBeUndefined();
  });

  it("a model of a usual size compiles with models that are attached several times", async () => {
    const attached = ["left", "right"].map(
      (side) => `<attach model="arm" body="b" prefix="${side}"/>`,
    );
    const files = {
      "arm.xml": bytes(`<mujoco><worldbody><body name="b">${GEOM}</body></worldbody></mujoco>`),
    };
    const xml = model(attached.join(""), '<asset><model name="arm" file="arm.xml"/></asset>');
    expect(await refusal(xml, files)).toBeUndefined();
  });
});

describe("MuJoCo", () => {
  it.each([
    ["aborts", Object.assign(new Error("unreachable"), { name: "RuntimeError" })],
    ["has no memory left", new Error("std::bad_alloc")],
  ])("MuJoCo is loaded again for the next model after it %s", async (_, error) => {
    const first = await loadMujoco();
    const MjModel = {
      from_xml_string: () => {
        throw error;
      },
    };
    const broken = Object.assign(Object.create(first), { MjModel }) as typeof first;
    expect(() => compileModel(broken, model(""), {}, "scene.xml")).toThrow("cannot compile");
    expect(await loadMujoco()).not.toBe(first);
    expect(await refusal(model(""))).toBeUndefined();
  });

  it("MuJoCo stays loaded after it has rejected a model", async () => {
    const first = await loadMujoco();
    expect(await refusal(model("<nothing/>"))).toMatchObject({ code: "bad_mjcf" });
    expect(await loadMujoco()).toBe(first);
  });
});

describe("files of a model", () => {
  it.each([
    [
      "one file",
      { "a.obj": 2 ** 26 + 1 },
      "the file has 65 MiB; at most 64 MiB are allowed",
      "a.obj",
    ],
    [
      "all files together",
      Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.obj`, 2 ** 26])),
      "its files have 576 MiB; at most 512 MiB are allowed",
      "8.obj",
    ],
  ])("files of a model are rejected if %s is too large", (_, sizes, words, where) => {
    const files = Object.fromEntries(
      Object.entries(sizes).map(([name, length]) => [name, { length }]),
    );
    expect(() => checkFileSizes(files)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(words), where }),
    );
  });
});

describe("a model that exhausts MuJoCo's memory", () => {
  it("a model that exhausts the memory of MuJoCo gets an error with the limit, the size of its files and what to do", () => {
    const error = new Error(
      "MuJoCo Error: Loading error: Error: engine error: Could not allocate memory",
    );
    const files = { "/robots/a.obj": new Uint8Array(3 * 2 ** 20) };
    expect(mujocoError("compile", error, files, "/robots/arm.xml")).toMatchObject({
      code: "mjcf_too_large",
      message: expect.stringMatching(/needs more than the 2 GiB of memory .*its files have 3 MiB/),
      where: "/robots/arm.xml",
      hint: "use meshes with fewer triangles and smaller textures",
    });
  });
});
