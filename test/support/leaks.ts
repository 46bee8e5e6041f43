import { packMsgpack } from "../../src/api/codec/msgpack.js";

/** Secrets that must not appear in any byte that a server sends. */
export interface Secrets {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** The secrets that occur in the bytes in any encoding. */
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

/** Numbers with enough digits to be unique in the data. */
export function distinctiveNumbers(numbers: readonly unknown[], least = 4): number[] {
  const found = numbers.filter((value): value is number => typeof value === "number");
  return [...new Set(found)].filter((number) => String(Math.abs(number)).length >= least);
}

/** Decodes base64, which JSON messages use for arrays and images, so that a search finds secrets in it. */
function packed(text: string): Buffer[] {
  const found = text.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? [];
  return found.map((part) => Buffer.from(part, "base64"));
}

function isWritten(text: string, number: number): boolean {
  const digits = String(Math.abs(number)).replaceAll(".", "\\.");
  return new RegExp(`(?<![\\d.])${digits}(?!\\d)`).test(text);
}

/** A number's bytes in MessagePack and in arrays of doubles and floats. */
function holdsBinary(bytes: Buffer, number: number): boolean {
  const double = Buffer.alloc(8);
  double.writeDoubleLE(number);
  const float = Buffer.alloc(4);
  float.writeFloatLE(number);
  return [packMsgpack(number), double, float].some((form) => bytes.includes(form));
}
