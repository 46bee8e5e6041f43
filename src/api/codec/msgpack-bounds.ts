import { ProtocolError } from "../../core/errors.js";

/** Deeper than any observation; a decoder that calls itself would run out of stack. */
const DEEPEST = 64;

/** Bytes of a length or number that follow the leading byte, for 0xc0 to 0xdf. Minus one: not used. */
const HEADS = [
  0, -1, 0, 0, 1, 2, 4, 2, 3, 5, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 1, 2, 4, 2, 4, 2, 4,
];

/**
 * Refuses a frame that is no single well-formed value before a decoder sees it. A frame of five bytes can
 * announce four thousand million entries, and a decoder that believes it makes room for them.
 */
export function checkMsgpack(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Values still to come at each depth. */
  const open: number[] = [1];
  let at = 0;
  while (open.length > 0) {
    const top = open.length - 1;
    const left = open[top] ?? 0;
    if (left === 0) {
      open.pop();
      continue;
    }
    open[top] = left - 1;
    if (at >= bytes.length) throw broken("it ends before its last value");
    const { next, children } = skip(view, at);
    if (next > bytes.length) throw broken("it ends within a value");
    if (children > bytes.length - next) throw broken("it announces more values than it has bytes");
    at = next;
    if (children > 0) open.push(children);
    if (open.length > DEEPEST) throw broken(`it nests deeper than ${DEEPEST}`);
  }
  if (at !== bytes.length) throw broken(`${bytes.length - at} bytes follow its value`);
}

/** Where the next value begins, and how many values inside this one come first. */
function skip(view: DataView, at: number): { readonly next: number; readonly children: number } {
  const lead = view.getUint8(at);
  if (lead < 0x80 || lead >= 0xe0) return { next: at + 1, children: 0 };
  if (lead < 0x90) return { next: at + 1, children: (lead & 0x0f) * 2 };
  if (lead < 0xa0) return { next: at + 1, children: lead & 0x0f };
  if (lead < 0xc0) return { next: at + 1 + (lead & 0x1f), children: 0 };
  const head = HEADS[lead - 0xc0] ?? -1;
  if (head === -1) throw broken("it has the byte 0xc1, which means nothing");
  const next = at + 1 + head;
  if (next > view.byteLength) return { next, children: 0 };
  switch (lead) {
    case 0xc4:
    case 0xd9:
      return { next: next + view.getUint8(at + 1), children: 0 };
    case 0xc5:
    case 0xda:
      return { next: next + view.getUint16(at + 1), children: 0 };
    case 0xc6:
    case 0xdb:
      return { next: next + view.getUint32(at + 1), children: 0 };
    case 0xdc:
      return { next, children: view.getUint16(at + 1) };
    case 0xdd:
      return { next, children: view.getUint32(at + 1) };
    case 0xde:
      return { next, children: view.getUint16(at + 1) * 2 };
    case 0xdf:
      return { next, children: view.getUint32(at + 1) * 2 };
    default:
      if (isExtension(lead)) throw broken("it has an extension type, and none is agreed");
      return { next, children: 0 };
  }
}

function isExtension(lead: number): boolean {
  return (lead >= 0xc7 && lead <= 0xc9) || (lead >= 0xd4 && lead <= 0xd8);
}

function broken(why: string): ProtocolError {
  return new ProtocolError("bad_frame", `not a MessagePack message: ${why}`);
}
