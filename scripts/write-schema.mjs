// Writes configs/benchmark.schema.json, which editors use to complete and check benchmark files,
// configs/benchmarks.json, the index of the shipped benchmarks, and docs/protocol.schema.json and
// docs/simulator.schema.json, the messages that policies, evaluators and simulators exchange.
// Run it after `npm run build` whenever a key, a description or a shipped benchmark changes; unit tests compare.
import { writeFileSync } from "node:fs";
import { protocolJsonSchemaText } from "../build/api/messages/json-schema.js";
import { benchmarkJsonSchemaText } from "../build/config/json-schema.js";
import { benchmarkIndexText } from "../build/evaluator/plan/benchmark-index.js";
import { simulatorJsonSchemaText } from "../build/simulator/remote/json-schema.js";

const at = (path) => new URL(`../${path}`, import.meta.url);
writeFileSync(at("configs/benchmark.schema.json"), benchmarkJsonSchemaText());
writeFileSync(at("configs/benchmarks.json"), await benchmarkIndexText());
writeFileSync(at("docs/protocol.schema.json"), protocolJsonSchemaText());
writeFileSync(at("docs/simulator.schema.json"), simulatorJsonSchemaText());
