import type { Registry } from "../core/registry.js";
import type { DatasetFormat } from "../dataset/format.js";
import { nativeFormat } from "../dataset/formats/native.js";
import { ndhFormat } from "../dataset/formats/ndh.js";
import { r2rFormat } from "../dataset/formats/r2r.js";
import { r2rVlnceFormat } from "../dataset/formats/r2r-vlnce.js";

export function registerFormats(formats: Registry<DatasetFormat>): void {
  for (const format of [nativeFormat, r2rVlnceFormat, r2rFormat, ndhFormat]) {
    formats.register(format.name, format);
  }
}
