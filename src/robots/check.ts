import { z } from "zod";
import { ConfigError, show } from "../core/errors.js";
import { suggestion } from "../core/registry.js";
import type { RobotDescriptor } from "./descriptor.js";

const name = z.string().min(1);
const pair = z.tuple([z.number(), z.number()]);
const limits = z.tuple([z.number(), z.number()]).refine(([low, high]) => low < high, {
  error: "expected [low, high] with low < high",
});

const drive = z.union(
  [
    z
      .strictObject({ positions: pair, controls: pair })
      .refine(({ positions: [p, q], controls: [c, d] }) => p !== q && c !== d, {
        error: "the two positions and the two controls must differ",
      }),
    z.strictObject({
      kp: z.number().positive(),
      kd: z.number().nonnegative(),
      maxForce: z.number().positive().optional(),
      compensateGravity: z.boolean().optional(),
    }),
  ],
  {
    error:
      "expected {positions: [a, b], controls: [c, d]} or {kp, kd, maxForce?, compensateGravity?}",
  },
);

const model = z.looseObject({
  mjcf: z.looseObject({ file: z.union([name, z.instanceof(URL)]).optional() }).optional(),
  additions: z.record(name, z.array(z.looseObject({ tag: name }))).optional(),
  actuators: z.array(name),
  drives: z.record(z.string(), drive).optional(),
  home: z.array(z.number()),
  endEffectorSite: name,
  base: z
    .looseObject({
      joints: z.tuple([name, name, name]),
      actuators: z.tuple([name, name, name]),
      trackM: z.number().positive(),
      wheelMps: z.number().positive(),
      wheelMps2: z.number().positive(),
    })
    .optional(),
  gripper: z
    .looseObject({
      open: z.number(),
      closed: z.number(),
      fingers: z.tuple([z.array(name), z.array(name)]),
      openingM: z.number().nonnegative(),
    })
    .refine(({ open, closed }) => open !== closed, {
      error: "open and closed must not be the same",
    })
    .optional(),
  cameras: z.looseObject({ head: name.optional(), wrist: name.optional() }).optional(),
});

const descriptor = z
  .looseObject({
    robotType: z.string().regex(/^[\w.-]+$/, { error: "expected letters, digits, _ . or -" }),
    description: z.string(),
    joints: z.array(z.looseObject({ name, unit: z.enum(["m", "rad"]), limits })).min(1),
    dofs: z.array(z.looseObject({ name, joints: z.array(name).min(1), limits })).min(1),
    gripperDof: z.int().nonnegative().optional(),
    model: model.optional(),
  })
  .superRefine(({ joints, dofs, gripperDof, model: body }, context) => {
    const add = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    const known = joints.map((joint) => joint.name);
    for (const [i, dof] of dofs.entries()) {
      for (const [j, joint] of dof.joints.entries()) {
        if (known.includes(joint)) continue;
        add(["dofs", i, "joints", j], `no joint "${joint}"; ${suggestion(joint, known)}`);
      }
    }
    if (gripperDof !== undefined && gripperDof >= dofs.length)
      add(["gripperDof"], `there are ${dofs.length} dofs, from 0`);
    if (body && (body.gripper === undefined) !== (gripperDof === undefined)) {
      const [given, absent] = body.gripper
        ? ["model.gripper", "gripperDof"]
        : ["gripperDof", "model.gripper"];
      add([given], `${absent} is missing; a robot has both, or neither if it has no gripper`);
    }
    if (body?.additions && body.mjcf && body.mjcf.file === undefined)
      add(["model", "additions"], "only for a model file; add the elements to model.mjcf");
    const dofNames = dofs.map((dof) => dof.name);
    for (const key of Object.keys(body?.drives ?? {})) {
      if (dofNames.includes(key)) continue;
      add(["model", "drives", key], `no dof "${key}"; ${suggestion(key, dofNames)}`);
    }
    for (const key of ["actuators", "home"] as const) {
      const count = body?.[key].length ?? dofs.length;
      if (count !== dofs.length) {
        add(["model", key], `expected one for each of the ${dofs.length} dofs, got ${count}`);
      }
    }
    for (const [i, value] of (body?.home ?? []).entries()) {
      const [low, high] = dofs[i]?.limits ?? [value, value];
      if (value < low || value > high) {
        add(
          ["model", "home", i],
          `${dofs[i]?.name} must be between ${low} and ${high}, got ${value}`,
        );
      }
    }
  });

/** Checks that a value from a plugin, which may be plain JavaScript, is a robot descriptor. */
export function assertRobot(value: unknown): asserts value is RobotDescriptor {
  const result = descriptor.safeParse(value);
  if (result.success) return;
  const [issue] = result.error.issues;
  const type =
    typeof value === "object" && value !== null && "robotType" in value ? value.robotType : value;
  throw new ConfigError(
    "bad_robot",
    `the robot ${show(type)} is not a valid descriptor: ${issue?.path.join(".")}: ${issue?.message}`,
    { hint: "see docs/plugins.md for robot descriptors" },
  );
}
