import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../core/errors.js";

/** Rows of the model's arrays by the array's name in MuJoCo and the row's index. */
export type ModelFields = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** Arrays of numbers that do not determine sizes or indices, so that any value is safe. */
const FIELD = /^(body|jnt|dof|geom|site|cam|light|mat|actuator|tendon|eq|bvh|qpos|mesh|hfield)\w*$/;
/** Those that `Physics.drawing` and `Physics.geoms` read; poses are read when an image is drawn. */
const DRAWN =
  /^(geom_(size|rgba|rbound)|site_(size|rgba)|(mat|mesh|hfield)_\w+|light_(?!pos|dir)\w+)$/;
const MEAN_INERTIA = "stat.meaninertia";

/** Changes numbers of a compiled model, and undoes it. */
export class ModelChanges {
  readonly #model: MjModel;
  #undo: (() => void)[] = [];
  #drawn = "";

  constructor(model: MjModel) {
    this.#model = model;
  }

  /** What was changed of the look of the model; equal for equal looks. */
  get drawn(): string {
    return this.#drawn;
  }

  /** @throws DataError if the model has no such array of numbers, or the row has another length */
  apply(fields: ModelFields, where: string): void {
    const drawn = Object.entries(fields).filter(([name]) => DRAWN.test(name));
    if (drawn.length > 0) this.#drawn += JSON.stringify(drawn);
    for (const [name, rows] of Object.entries(fields)) {
      for (const [row, values] of Object.entries(rows)) this.#set(name, Number(row), values, where);
    }
  }

  undo(): void {
    for (const restore of this.#undo.reverse()) restore();
    this.#undo = [];
    this.#drawn = "";
  }

  #set(name: string, row: number, values: readonly number[], where: string): void {
    if (name === MEAN_INERTIA) {
      const { stat } = this.#model;
      const before = stat.meaninertia;
      stat.meaninertia = values[0] ?? before;
      this.#undo.push(() => {
        stat.meaninertia = before;
      });
      return;
    }
    const array = this.#array(name);
    const start = row * values.length;
    if (!array || !(Number.isInteger(row) && row >= 0 && start + values.length <= array.length)) {
      throw new DataError(
        "bad_field",
        `the model has no row ${row} of ${values.length} numbers in "${name}"`,
        { where, hint: "write the episodes and the model together, with the same freezer" },
      );
    }
    const before = array.slice(start, start + values.length);
    array.set(values, start);
    this.#undo.push(() => this.#array(name)?.set(before, start));
  }

  /** A new view each time, because WASM memory may have grown. */
  #array(name: string): Float64Array | Float32Array | undefined {
    if (!FIELD.test(name)) return undefined;
    const found: unknown = Reflect.get(this.#model, name);
    return found instanceof Float64Array || found instanceof Float32Array ? found : undefined;
  }
}
