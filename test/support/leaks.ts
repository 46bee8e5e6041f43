import { packMsgpack } from "../../src/api/codec/msgpack.js";

/** What must be in no byte that leaves a server. */
export interface Secrets {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Those of the secrets that are in the bytes, however they were written. */
export function leaksIn(bytes: Buffer, { texts, numbers }: Secrets): (string | number)[] {
  const text = bytes.toString("latin1");
  const all = [bytes, ...packed(text)];
  return [
    ...texts.filter((secret) => all.some((part) => part.includes(secret))),
    ...numbers.filter(
      (secret) => isWritten(text, secret) || all.some((part) => holdsBinary(part, secret)),
    ),
  ];
}

/** Numbers of so many characters that they can be told from any other that might stand there. */
export function telling(numbers: readonly unknown[], least = 4): number[] {
  const found = numbers.filter((value): value is number => typeof value === "number");
  return [...new Set(found)].filter((number) => String(Math.abs(number)).length >= least);
}

/** Arrays and pictures in JSON are base64, in which no search would find anything. */
function packed(text: string): Buffer[] {
  const found = text.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? [];
  return found.map((part) => Buffer.from(part, "base64"));
}

function isWritten(text: string, number: number): boolean {
  const digits = String(Math.abs(number)).replaceAll(".", "\\.");
  return new RegExp(`(?<![\\d.])${digits}(?!\\d)`).test(text);
}

/** As MessagePack has it, and as arrays of doubles and of floats do. */
function holdsBinary(bytes: Buffer, number: number): boolean {
  const double = Buffer.alloc(8);
  double.writeDoubleLE(number);
  const float = Buffer.alloc(4);
  float.writeFloatLE(number);
  return [packMsgpack(number), double, float].some((form) => bytes.includes(form));
}
