import { crc32, deflateRawSync } from "node:zlib";

/** A zip archive as torch writes it, or deflated if `pack` is given. */
export function zip(entries: Readonly<Record<string, Buffer>>, pack?: "pack"): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of Object.entries(entries)) {
    const body = pack ? deflateRawSync(data) : data;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(pack ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    local.push(Buffer.from("PK\x03\x04"), fields, Buffer.from(name), body);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x00\x00", "latin1"), fields, rest, Buffer.from(name));
    offset += 30 + name.length + body.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length / 4, 4);
  end.writeUInt16LE(central.length / 4, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\x05\x06"), end]);
}

export const latin = (text: string) => Buffer.from(text, "latin1");

export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([latin("X"), length, bytes]);
}

export function floats(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8);
  numbers.forEach((x, i) => {
    bytes.writeDoubleLE(x, i * 8);
  });
  return bytes;
}

/** numpy's pickle of an array, protocol 2, with replaceable parts. */
export function numpyPickle({
  shape = latin("K\x02K\x03\x86"),
  dtype = "f8",
  order = "<",
  byColumns = "\x89",
  data = floats([1, 2, 3, 4, 5, 6.5]),
  before = latin(""),
  after = latin(""),
} = {}): Buffer {
  return Buffer.concat([
    latin("\x80\x02"),
    before,
    latin("cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01"),
    shape,
    latin("cnumpy\ndtype\n"),
    text(dtype),
    latin("\x89\x88\x87R(K\x03"),
    text(order),
    latin("NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"),
    latin(byColumns),
    latin("c_codecs\nencode\n"),
    text(data.toString("latin1")),
    text("latin1"),
    latin("\x86Rtb"),
    after,
    latin("."),
  ]);
}

/** A file of `torch.save` with one array. */
export const torch = (pickle: Buffer) =>
  zip({ "archive/data.pkl": pickle, "archive/version": latin("3\n") });
