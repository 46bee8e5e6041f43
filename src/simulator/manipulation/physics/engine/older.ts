import { createRequire } from "node:module";
import type { MjData, MjModel, MjWarningStatVec } from "@mujoco/mujoco";
import { ConfigError } from "../../../../core/errors.js";
import type { Mujoco } from "../mujoco.js";
import { OLDER_ENGINE } from "./names.js";

const { name, peer, peerVersion, mujoco: expected } = OLDER_ENGINE;

/**
 * Loads MuJoCo 3.3.8, whose contacts are those of 3.3: the package `mujoco-js`, which is an optional peer. What
 * its binding lacks of that of 3.14 is added, as far as this folder uses it.
 *
 * @throws ConfigError `no_engine` with the command that installs it
 */
export async function loadOlderEngine(): Promise<Mujoco> {
  const module = await loadPeer();
  const found: unknown = module.mj_versionString();
  if (found !== expected) {
    throw missing(`the package ${peer} has MuJoCo ${found}, not ${expected}`);
  }
  return module;
}

async function loadPeer(): Promise<Mujoco> {
  checkPeer();
  const { default: load } = await import("mujoco-js");
  // Both bindings are generated from MuJoCo's headers in the same way.
  const module = (await load({ print: () => {}, printErr: () => {} })) as unknown as OlderModule;
  addLoading(module);
  Object.defineProperties(module.MjModel.prototype, MODEL);
  Object.defineProperties(module.MjData.prototype, { ...DATA, warning: freshWarnings(module) });
  return Object.assign(module, { mjtProjection: PROJECTION, mj_multiRay: rayCaster(module) });
}

/** It takes groups as an array of bytes, and no normals. */
function rayCaster({ mj_multiRay }: OlderModule): Mujoco["mj_multiRay"] {
  return (model, data, from, directions, groups, isStatic, without, geoms, distances, _, ...rest) =>
    mj_multiRay(
      ...[model, data, from, directions],
      ...[Uint8Array.from(groups), Number(isStatic), without, geoms, distances, ...rest],
    );
}

/** @throws ConfigError `no_engine` if the package is not installed */
export function checkPeer(): void {
  try {
    createRequire(import.meta.url).resolve(peer);
  } catch (cause) {
    throw missing(
      `the package ${peer} is not installed, which simulator.engine: ${name} needs`,
      cause,
    );
  }
}

function missing(message: string, cause?: unknown): ConfigError {
  return new ConfigError("no_engine", message, {
    hint: `npm install "${peer}@${peerVersion}"`,
    cause,
  });
}

type OlderModule = Mujoco & {
  readonly MjModel: { loadFromXML(path: string): MjModel | null };
  mj_multiRay(...all: readonly unknown[]): void;
};

const TEXT = "/older engine.xml";

/** The binding loads files only, and does not tell what is wrong with one. */
function addLoading(module: OlderModule): void {
  const fromPath = (path: string) => {
    let model: MjModel | null = null;
    let cause: unknown;
    try {
      model = module.MjModel.loadFromXML(path);
    } catch (error) {
      cause = error;
    }
    if (model) return model;
    throw new Error(`MuJoCo ${expected} rejects it without a message`, { cause });
  };
  const fromText = (xml: string) => {
    module.FS.writeFile(TEXT, xml);
    try {
      return fromPath(TEXT);
    } finally {
      module.FS.unlink(TEXT);
    }
  };
  Object.assign(module.MjModel, { from_xml_path: fromPath, from_xml_string: fromText });
}

const PROJECTION = {
  mjPROJ_PERSPECTIVE: { value: 0 },
  mjPROJ_ORTHOGRAPHIC: { value: 1 },
};

/** Values of one element of a model, which the newer binding returns as a handle. */
function handleOf(read: (model: MjModel, index: number) => object): PropertyDescriptor {
  return {
    value(this: MjModel, index: number) {
      return { ...read(this, index), delete: () => {} };
    },
  };
}

const MODEL: PropertyDescriptorMap = {
  actuator: handleOf((model, i) => ({
    ctrllimited: model.actuator_ctrllimited[i],
    ctrlrange: model.actuator_ctrlrange.slice(2 * i, 2 * i + 2),
  })),
  jnt: handleOf((model, i) => ({ limited: model.jnt_limited[i] })),
  eq: handleOf((model, i) => ({ active0: model.eq_active0[i] })),
  mat: handleOf((model, i) => ({ texuniform: model.mat_texuniform[i] })),
  light: handleOf((model, i) => ({
    active: model.light_active[i],
    castshadow: model.light_castshadow[i],
  })),
  /** Each actuator has one control. */
  actuator_ctrladr: {
    get(this: MjModel) {
      return Int32Array.from({ length: this.nu }, (_, i) => i);
    },
  },
  cam_projection: {
    get(this: MjModel & { readonly cam_orthographic: Int32Array }) {
      return this.cam_orthographic;
    },
  },
};

/** Its list of warnings is a copy, whereas that of the newer binding is up to date. */
function freshWarnings({ MjData }: OlderModule): PropertyDescriptor {
  const read: unknown = Object.getOwnPropertyDescriptor(MjData.prototype, "warning")?.get;
  return {
    get(this: MjData) {
      return {
        get: (kind: number) => {
          const list: MjWarningStatVec = typeof read === "function" ? read.call(this) : undefined;
          const warning = list.get(kind);
          list.delete();
          return warning;
        },
      };
    },
  };
}

/** Bodies do not sleep in this version. There are fewer trees than bodies. */
const DATA: PropertyDescriptorMap = {
  ntree_awake: { value: Number.POSITIVE_INFINITY },
  tree_asleep: {
    get(this: MjData) {
      return new Int32Array(this.xpos.length / 3).fill(-1);
    },
  },
};
