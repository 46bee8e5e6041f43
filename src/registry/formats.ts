import type { Registry } from "../core/registry.js";
import type { DatasetFormat } from "../dataset/format.js";
import { instanceImageNavFormat } from "../dataset/formats/instance-imagenav.js";
import { lerobotFormat } from "../dataset/formats/lerobot.js";
import { liberoFormat } from "../dataset/formats/libero.js";
import { maniskillFormat } from "../dataset/formats/maniskill.js";
import { nativeFormat } from "../dataset/formats/native.js";
import { ndhFormat } from "../dataset/formats/ndh.js";
import { objectNavFormat } from "../dataset/formats/objectnav.js";
import { ovmmFormat } from "../dataset/formats/ovmm.js";
import { pointNavFormat } from "../dataset/formats/pointnav.js";
import { r2rFormat } from "../dataset/formats/r2r.js";
import { r2rVlnceFormat } from "../dataset/formats/r2r-vlnce.js";
import { robomimicFormat } from "../dataset/formats/robomimic.js";
import { robothorFormat } from "../dataset/formats/robothor.js";
import { roboverseFormat } from "../dataset/formats/roboverse.js";
import { rxrVlnceFormat } from "../dataset/formats/rxr-vlnce.js";

export function registerFormats(formats: Registry<DatasetFormat>): void {
  for (const format of [
    nativeFormat,
    r2rVlnceFormat,
    rxrVlnceFormat,
    r2rFormat,
    ndhFormat,
    objectNavFormat,
    ovmmFormat,
    pointNavFormat,
    instanceImageNavFormat,
    robothorFormat,
    lerobotFormat,
    liberoFormat,
    robomimicFormat,
    maniskillFormat,
    roboverseFormat,
  ]) {
    formats.register(format.name, format);
  }
}
