// Writes configs/benchmark.schema.json, which editors use to complete and check benchmark files.
// Run it after `npm run build` whenever a key or a description changes; a unit test compares the two.
import { writeFileSync } from "node:fs";
import { benchmarkJsonSchemaText } from "../dist/config/json-schema.js";

const target = new URL("../configs/benchmark.schema.json", import.meta.url);
writeFileSync(target, benchmarkJsonSchemaText());
