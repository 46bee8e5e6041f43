// Writes configs/benchmark.schema.json, which editors use to complete and check benchmark files, and
// docs/protocol.schema.json and docs/simulator.schema.json, the messages that policies, evaluators and simulators
// exchange.
// Run it after `npm run build` whenever a key or a description changes; unit tests compare.
import { writeFileSync } from "node:fs";
import { protocolJsonSchemaText } from "../dist/api/messages/json-schema.js";
import { benchmarkJsonSchemaText } from "../dist/config/json-schema.js";
import { simulatorJsonSchemaText } from "../dist/simulator/remote/json-schema.js";

const at = (path) => new URL(`../${path}`, import.meta.url);
writeFileSync(at("configs/benchmark.schema.json"), benchmarkJsonSchemaText());
writeFileSync(at("docs/protocol.schema.json"), protocolJsonSchemaText());
writeFileSync(at("docs/simulator.schema.json"), simulatorJsonSchemaText());
