import { DataError, show } from "../../core/errors.js";
import {
  build,
  call,
  Global,
  isAllowed,
  NdArray,
  type NumberArray,
  PickleProblem,
  type PickleValue,
  storageOf,
} from "./pickle-calls.js";

const MARK = Symbol("mark");
/** Limit on calls, states and storages; a numpy array takes five. */
const MAX_WORK = 16;

/** Opcodes commonly used to execute code, named in the error that rejects them. */
const UNSAFE_OPCODES: Readonly<Record<number, string>> = {
  105: "INST",
  111: "OBJ",
  80: "PERSID",
  129: "NEWOBJ",
  130: "EXT1",
  131: "EXT2",
  132: "EXT4",
  146: "NEWOBJ_EX",
  151: "NEXT_BUFFER",
};

/**
 * Reads the single array in a pickle without executing the pickle, which could run arbitrary code. Supports
 * only the opcodes that numpy and torch write for an array of 64-bit floats, and rejects all others by name
 * and position.
 *
 * @param storage returns the bytes of a torch storage by key
 */
export function readPickledArray(
  bytes: Buffer,
  file: string,
  storage?: (key: string) => Buffer,
): NumberArray {
  const machine = new Machine(bytes, storage);
  try {
    return machine.run();
  } catch (error) {
    if (error instanceof PickleProblem)
      throw unsafePickle(error.message, file, machine.instruction);
    // Node throws this on a read past the end.
    if (error instanceof RangeError) throw truncated(file, bytes.length);
    throw error;
  }
}

class Machine {
  /** The byte offset of the current instruction. */
  instruction = 0;
  #at = 0;
  #work = 0;
  readonly #stack: (PickleValue | typeof MARK)[] = [];
  readonly #memo = new Map<number, PickleValue>();

  constructor(
    readonly bytes: Buffer,
    readonly storage: ((key: string) => Buffer) | undefined,
  ) {}

  run(): NumberArray {
    for (;;) {
      this.instruction = this.#at;
      const code = this.#byte();
      if (code === 0x2e /* STOP */) return this.#result();
      this.#follow(code);
    }
  }

  #follow(code: number): void {
    switch (code) {
      case 0x80: // PROTO
        if (this.#byte() > 5) throw new PickleProblem("a protocol newer than 5");
        break;
      case 0x95: // FRAME: a length, needed only for streamed reading
        this.#take(8);
        break;
      case 0x71: // BINPUT
        this.#remember(this.#byte());
        break;
      case 0x72: // LONG_BINPUT
        this.#remember(this.#take(4).readUInt32LE());
        break;
      case 0x94: // MEMOIZE
        this.#remember(this.#memo.size);
        break;
      case 0x28: // MARK
        this.#stack.push(MARK);
        break;
      case 0x62: // BUILD
        this.#countWork();
        build(...this.#belowAndTop("keep"));
        break;
      default:
        this.#stack.push(this.#value(code));
    }
  }

  /** Returns the value that an instruction pushes onto the stack. */
  #value(code: number): PickleValue {
    switch (code) {
      case 0x63: // GLOBAL
        return this.#global(this.#line(), this.#line());
      case 0x93: // STACK_GLOBAL
        return this.#global(...this.#belowAndTop());
      case 0x68: // BINGET
        return this.#recall(this.#byte());
      case 0x6a: // LONG_BINGET
        return this.#recall(this.#take(4).readUInt32LE());
      case 0x52: // REDUCE
        this.#countWork();
        return call(...this.#belowAndTop());
      case 0x51: // BINPERSID
        this.#countWork();
        if (!this.storage) throw new PickleProblem("a storage outside a torch file");
        return storageOf(this.#pop(), this.storage);
      case 0x74: // TUPLE
        return this.#sinceMark();
      case 0x29: // EMPTY_TUPLE
        return [];
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        return Array.from({ length: code - 0x84 }, () => this.#pop()).reverse();
      default:
        return this.#literal(code);
    }
  }

  #literal(code: number): PickleValue {
    switch (code) {
      case 0x4e: // NONE
        return null;
      case 0x88: // NEWTRUE
        return true;
      case 0x89: // NEWFALSE
        return false;
      case 0x4b: // BININT1
        return this.#byte();
      case 0x4d: // BININT2
        return this.#take(2).readUInt16LE();
      case 0x4a: // BININT
        return this.#take(4).readInt32LE();
      case 0x58: // BINUNICODE
        return this.#text(this.#take(4).readUInt32LE());
      case 0x8c: // SHORT_BINUNICODE
        return this.#text(this.#byte());
      case 0x42: // BINBYTES
        return this.#take(this.#take(4).readUInt32LE());
      case 0x43: // SHORT_BINBYTES
        return this.#take(this.#byte());
      default: {
        const hex = `0x${code.toString(16).padStart(2, "0")}`;
        const name = UNSAFE_OPCODES[code];
        throw new PickleProblem(`the instruction ${name ? `${name} (${hex})` : hex}`);
      }
    }
  }

  #result(): NumberArray {
    const value = this.#pop();
    if (this.#stack.length > 0 || this.#at !== this.bytes.length) {
      throw new PickleProblem("more than one value");
    }
    if (value instanceof NdArray && value.value) return value.value;
    throw new PickleProblem("something other than one array");
  }

  #global(module: PickleValue, name: PickleValue): Global {
    if (typeof module !== "string" || typeof name !== "string") {
      throw new PickleProblem("a name that is not a string");
    }
    const full = `${module}.${name}`;
    if (!isAllowed(full)) throw new PickleProblem(`the name ${show(full)}`);
    return new Global(full);
  }

  /** Bounds the work: a few bytes of pickle can request the same long conversion repeatedly. */
  #countWork(): void {
    if (++this.#work > MAX_WORK) throw new PickleProblem("more calls than an array needs");
  }

  #belowAndTop(below?: "keep"): [PickleValue, PickleValue] {
    const top = this.#pop();
    return [below === "keep" ? this.#top() : this.#pop(), top];
  }

  #pop(): PickleValue {
    const value = this.#top();
    this.#stack.pop();
    return value;
  }

  #top(): PickleValue {
    const value = this.#stack.at(-1);
    if (value === undefined || value === MARK)
      throw new PickleProblem("a read from an empty stack");
    return value;
  }

  #sinceMark(): PickleValue[] {
    const values: PickleValue[] = [];
    for (let value = this.#stack.pop(); value !== MARK; value = this.#stack.pop()) {
      if (value === undefined) throw new PickleProblem("a tuple without a start mark");
      values.push(value);
    }
    return values.reverse();
  }

  #remember(key: number): void {
    this.#memo.set(key, this.#top());
  }

  #recall(key: number): PickleValue {
    const value = this.#memo.get(key);
    if (value === undefined) throw new PickleProblem(`an undefined memo entry ${key}`);
    return value;
  }

  #byte(): number {
    return this.#take(1).readUInt8();
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new RangeError("past the end");
    const part = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  #line(): string {
    const end = this.bytes.indexOf(0x0a, this.#at);
    if (end < 0) throw new RangeError("past the end");
    const line = this.#take(end - this.#at).toString("latin1");
    this.#at++;
    return line;
  }

  #text(length: number): string {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.#take(length));
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw new PickleProblem("text that is not UTF-8");
    }
  }
}

function unsafePickle(what: string, file: string, offset: number): DataError {
  return new DataError("unsafe_pickle", `the pickle has ${what} at byte ${offset}`, {
    where: file,
    hint: "save a single numpy.float64 array with torch.save; pickles are never executed, so nothing else can be read",
  });
}

function truncated(file: string, size: number): DataError {
  return new DataError("truncated_pickle", `the pickle is cut off at byte ${size}`, {
    where: file,
    hint: "copy or download the file again",
  });
}
