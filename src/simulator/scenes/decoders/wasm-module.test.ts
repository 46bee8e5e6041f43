import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { WasmDecoder, withMemoryLimit } from "./wasm-module.js";

const require = createRequire(import.meta.url);

describe("withMemoryLimit", () => {
  it("withMemoryLimit lowers the maximum of 2 GB in the memory section and keeps all other bytes", () => {
    const wasm = readFileSync(require.resolve("draco3dgltf/draco_decoder_gltf.wasm"));
    const limited = withMemoryLimit(wasm);
    const changed = [...wasm.keys()].filter((i) => wasm[i] !== limited[i]);
    const [first = 0] = changed;
    // 32768 and 12288 pages of 64 KiB as unsigned LEB128 numbers of three bytes.
    expect([...wasm.subarray(first - 1, first + 2)]).toEqual([0x80, 0x80, 0x02]);
    expect([...limited.subarray(first - 1, first + 2)]).toEqual([0x80, 0xe0, 0x00]);
    expect(changed).toHaveLength(2);
  });
});

describe("WasmDecoder", () => {
  it("WasmDecoder loads on first use, keeps the module, and loads a new one after an abort", async () => {
    let loads = 0;
    const decoder = new WasmDecoder(async () => {
      loads++;
      return { HEAPU8: new Uint8Array(8) };
    });
    expect(loads).toBe(0);
    await decoder.use(() => 1);
    expect(await decoder.use(() => 2)).toBe(2);
    expect(loads).toBe(1);
    const abort = () => {
      throw Object.assign(new Error("Aborted(OOM)"), { name: "RuntimeError" });
    };
    await expect(decoder.use(abort)).rejects.toThrow("the decoder failed: Aborted(OOM)");
    expect(await decoder.use(() => 3)).toBe(3);
    expect(loads).toBe(2);
  });

  it("WasmDecoder drops a module whose memory has grown", async () => {
    let loads = 0;
    const decoder = new WasmDecoder(async () => {
      loads++;
      return { HEAPU8: new Uint8Array(65 * 1024 * 1024) };
    });
    await decoder.use(() => 1);
    await decoder.use(() => 1);
    expect(loads).toBe(2);
  });
});
