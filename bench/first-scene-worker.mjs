// A program for bench/cli.mjs: what the first reset of vln_challenge cannot do without, and nothing else. It generates
// the first episode's apartment, compiles Recast and builds the navmesh.
import { readdirSync } from "node:fs";

const chunks = new URL("../dist/chunks/", import.meta.url);
const library = readdirSync(chunks).find((name) => /^scene-library-\w+\.js$/.test(name));
const { sceneLibrary } = await import(new URL(library, chunks));
const { HABITAT_NAVMESH } = await import("../build/simulator/navmesh/settings.js");
const scene = await sceneLibrary.scene("apartment/100", undefined, HABITAT_NAVMESH);
scene.release();
