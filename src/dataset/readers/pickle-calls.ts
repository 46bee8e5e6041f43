import { show } from "../../core/errors.js";

/** An array of numbers in row-major order. */
export interface NumberArray {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** The values in a pickled array. None of them executes anything: a global is only a name. */
export type PickleValue =
  | number
  | string
  | boolean
  | null
  | Buffer
  | Global
  | Dtype
  | NdArray
  | Storage
  | readonly PickleValue[];

export class Global {
  constructor(readonly name: string) {}
}

class Dtype {
  order = "|";
  constructor(readonly kind: string) {}
}

/** A numpy array, created empty and filled by its BUILD state. */
export class NdArray {
  value: NumberArray | undefined;
}

class Storage {
  constructor(readonly bytes: Buffer) {}
}

/** An error without its position, which the caller adds. */
export class PickleProblem extends Error {}

type Call = (args: readonly PickleValue[]) => PickleValue;

/** The functions that a file may call, by full name. */
const CALLS: Readonly<Record<string, Call>> = {
  "numpy.core.multiarray._reconstruct": reconstruct,
  "numpy._core.multiarray._reconstruct": reconstruct,
  "numpy.dtype": ([kind]) => new Dtype(text(kind, "a dtype's name")),
  "_codecs.encode": encode,
  "torch._utils._rebuild_tensor_v2": rebuildTensor,
  // A tensor's backward hooks; always empty in a saved tensor.
  "collections.OrderedDict": (args) => {
    if (args.length > 0) throw new PickleProblem("an OrderedDict with content");
    return [];
  },
};

/** Class names that are passed as arguments and never called. */
const KINDS: ReadonlySet<string> = new Set(["numpy.ndarray", "torch.DoubleStorage"]);

export function isAllowed(name: string): boolean {
  return Object.hasOwn(CALLS, name) || KINDS.has(name);
}

/** Executes REDUCE for the functions above. */
export function call(target: PickleValue, args: PickleValue): PickleValue {
  const name = target instanceof Global ? target.name : undefined;
  const known = name !== undefined && Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (!known) throw new PickleProblem(`a call of ${name ?? "something that is not a function"}`);
  return known(tuple(args, "a call's arguments"));
}

/** Executes BUILD for dtypes and arrays. */
export function build(target: PickleValue, state: PickleValue): void {
  const parts = tuple(state, "a state");
  if (target instanceof Dtype) target.order = text(parts[1], "a dtype's byte order");
  else if (target instanceof NdArray) target.value = filled(parts);
  else throw new PickleProblem("a state for something that is not an array");
}

/** Executes BINPERSID: `("storage", torch.DoubleStorage, key, device, count)`. */
export function storageOf(id: PickleValue, read: (key: string) => Buffer): PickleValue {
  const [what, kind, key, , count] = tuple(id, "a storage's id");
  if (what !== "storage" || !(kind instanceof Global) || kind.name !== "torch.DoubleStorage") {
    throw new PickleProblem("a storage that is not of 64-bit floats");
  }
  const bytes = read(text(key, "a storage's key"));
  const floatCount = whole(count, "a storage's length");
  if (bytes.length !== floatCount * 8) {
    throw new PickleProblem(`a storage of ${floatCount} floats with ${bytes.length} bytes`);
  }
  return new Storage(bytes);
}

function reconstruct([kind]: readonly PickleValue[]): PickleValue {
  if (kind instanceof Global && kind.name === "numpy.ndarray") return new NdArray();
  throw new PickleProblem("the construction of something other than a numpy array");
}

/** Protocol 2 has no bytes type, so it writes them as latin1 text. */
function encode([value, codec]: readonly PickleValue[]): PickleValue {
  if (codec !== "latin1") throw new PickleProblem("a codec other than latin1");
  const characters = text(value, "encoded bytes");
  for (let i = 0; i < characters.length; i++) {
    if (characters.charCodeAt(i) > 0xff) throw new PickleProblem("bytes beyond 255");
  }
  return Buffer.from(characters, "latin1");
}

/** numpy's array state: `(version, shape, dtype, is_fortran, bytes)`. */
function filled([, dimensions, dtype, byColumns, raw]: readonly PickleValue[]): NumberArray {
  if (!(dtype instanceof Dtype) || dtype.kind !== "f8" || dtype.order !== "<") {
    const got = dtype instanceof Dtype ? `${dtype.order}${dtype.kind}` : "no dtype";
    throw new PickleProblem(`an array of ${got}, not of 64-bit floats (<f8)`);
  }
  const shape = shapeOf(dimensions);
  if (byColumns !== false && shape.length > 1)
    throw new PickleProblem("an array in column-major order");
  if (!Buffer.isBuffer(raw)) throw new PickleProblem("an array without its bytes");
  return { shape, data: floats(raw, shape) };
}

/** `(storage, offset, shape, strides, requires_grad, backward_hooks)` */
function rebuildTensor(args: readonly PickleValue[]): PickleValue {
  const [storage, offset, size, strides] = args;
  if (!(storage instanceof Storage)) throw new PickleProblem("a tensor without storage");
  const shape = shapeOf(size);
  const steps = tuple(strides, "a tensor's strides");
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = shape[axis] ?? 0;
    if (length > 1 && steps[axis] !== step) throw new PickleProblem("a tensor that is a view");
    step *= length;
  }
  const first = whole(offset, "a tensor's offset") * 8;
  const array = new NdArray();
  array.value = { shape, data: floats(storage.bytes.subarray(first, first + step * 8), shape) };
  return array;
}

/** Checks the declared shape against the actual bytes before allocating. */
function floats(raw: Buffer, shape: readonly number[]): Float64Array {
  const count = shape.reduce((product, n) => product * n, 1);
  if (raw.length !== count * 8) {
    throw new PickleProblem(`the shape ${show(shape)} with ${raw.length} bytes of 64-bit floats`);
  }
  return Float64Array.from({ length: count }, (_, i) => raw.readDoubleLE(i * 8));
}

function shapeOf(value: PickleValue | undefined): number[] {
  return tuple(value, "a shape").map((n) => whole(n, "a shape's length"));
}

function tuple(value: PickleValue | undefined, what: string): readonly PickleValue[] {
  if (Array.isArray(value)) return value;
  throw new PickleProblem(`${what} that is not a tuple`);
}

function text(value: PickleValue | undefined, what: string): string {
  if (typeof value === "string") return value;
  throw new PickleProblem(`${what} that is not a string`);
}

function whole(value: PickleValue | undefined, what: string): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new PickleProblem(`${what} that is not an integer`);
}
