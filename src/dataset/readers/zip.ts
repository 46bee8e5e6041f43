import { crc32, inflateRawSync } from "node:zlib";
import { DataError, errorMessage, show } from "../../core/errors.js";

const END = 0x06054b50;
const END_LENGTH = 22;
const CENTRAL = 0x02014b50;
const CENTRAL_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** As a size or offset, means that the actual value is in a zip64 record. */
const ZIP64_MARK = 0xffffffff;
/**
 * Limit against decompression bombs. Deflate expands up to 1032 times; the files read here stay far below
 * this.
 */
const MAX_ENTRY = 64 * 1024 * 1024;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * A zip archive in memory, as specified in PKWARE's APPNOTE: stored or deflated entries, located by the
 * central directory, each verified by CRC-32. Zip64, encryption and multiple disks are not supported.
 */
export class ZipArchive {
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(
    private readonly bytes: Buffer,
    private readonly file: string,
  ) {
    this.#entries = this.#directory();
  }

  /** In the order of the central directory. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  read(name: string): Buffer {
    const entry = this.#entries.get(name);
    if (!entry) throw this.#damaged(`it has no entry ${show(name)}, only ${show(this.names)}`);
    const packed = this.#packed(entry);
    const data = entry.method === STORED ? packed : this.#inflate(entry, packed);
    if (data.length !== entry.size) {
      throw this.#damaged(`${show(name)} has ${data.length} bytes, announced are ${entry.size}`);
    }
    if (crc32(data) !== entry.crc) {
      throw this.#damaged(`${show(name)} does not match its checksum`);
    }
    return data;
  }

  #directory(): ReadonlyMap<string, Entry> {
    const bytes = this.bytes;
    const end = this.#endRecord();
    const count = bytes.readUInt16LE(end + 10);
    const size = bytes.readUInt32LE(end + 12);
    let at = bytes.readUInt32LE(end + 16);
    if (at === ZIP64_MARK || size === ZIP64_MARK || count === 0xffff) {
      throw this.#unsupported("zip64");
    }
    if (at + size > end) throw this.#damaged("its directory reaches past the end record");
    const entries = new Map<string, Entry>();
    for (let i = 0; i < count; i++) {
      if (at + CENTRAL_LENGTH > end || bytes.readUInt32LE(at) !== CENTRAL) {
        throw this.#damaged(`entry ${i + 1} of ${count} is missing from its directory`);
      }
      const nameEnd = at + CENTRAL_LENGTH + bytes.readUInt16LE(at + 28);
      const next = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
      if (next > end) throw this.#damaged(`entry ${i + 1} of ${count} reaches past its directory`);
      const name = bytes.toString("utf8", at + CENTRAL_LENGTH, nameEnd);
      if (entries.has(name)) throw this.#damaged(`it has two entries ${show(name)}`);
      entries.set(name, this.#entry(at, name));
      at = next;
    }
    return entries;
  }

  /** Finds the end record, which is last except for a comment whose length must match the file's end. */
  #endRecord(): number {
    const bytes = this.bytes;
    const first = Math.max(0, bytes.length - END_LENGTH - 0xffff);
    for (let at = bytes.length - END_LENGTH; at >= first; at--) {
      if (bytes.readUInt32LE(at) !== END) continue;
      if (at + END_LENGTH + bytes.readUInt16LE(at + 20) === bytes.length) return at;
    }
    throw new DataError(
      "truncated_zip",
      `the zip archive is cut off: its ${bytes.length} bytes contain no end record`,
      { where: this.file, hint: "copy or download the file again" },
    );
  }

  #entry(at: number, name: string): Entry {
    const bytes = this.bytes;
    const entry = {
      name,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    };
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw this.#unsupported("encryption");
    if ([entry.packedSize, entry.size, entry.offset].includes(ZIP64_MARK)) {
      throw this.#unsupported("zip64");
    }
    return entry;
  }

  /** Uses the directory's sizes, because a streamed archive has zeros in the local header. */
  #packed({ name, method, packedSize, size, offset }: Entry): Buffer {
    const bytes = this.bytes;
    if (method !== STORED && method !== DEFLATED) {
      throw this.#unsupported(`compression method ${method} of ${show(name)}`);
    }
    if (size > MAX_ENTRY) throw this.#damaged(`${show(name)} announces ${size} bytes`);
    if (offset + LOCAL_LENGTH > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) {
      throw this.#damaged(`${show(name)} is not at byte ${offset}, as its directory states`);
    }
    const start =
      offset + LOCAL_LENGTH + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    if (start + packedSize > bytes.length) {
      throw this.#damaged(`${show(name)} ends past the file, at byte ${start + packedSize}`);
    }
    return bytes.subarray(start, start + packedSize);
  }

  #inflate({ name, size }: Entry, packed: Buffer): Buffer {
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    } catch (cause) {
      throw this.#damaged(`${show(name)} cannot be decompressed: ${errorMessage(cause)}`, cause);
    }
  }

  #damaged(problem: string, cause?: unknown): DataError {
    return new DataError("damaged_zip", `the zip archive is damaged: ${problem}`, {
      where: this.file,
      hint: "copy or download the file again",
      cause,
    });
  }

  #unsupported(what: string): DataError {
    return new DataError(
      "unsupported_zip",
      `the zip archive uses ${what}, which is not supported`,
      {
        where: this.file,
        hint: "create the archive again without it",
      },
    );
  }
}
