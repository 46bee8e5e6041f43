import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generateApartment } from "../../src/simulator/scenes/apartment/apartment.js";
import { allTextures } from "../../src/simulator/scenes/apartment/textures/all.js";

const folder = new URL("../../dist/textures/", import.meta.url);

it("the built textures equal the generated ones", () => {
  const textures = [...allTextures()];
  expect(textures.length).toBeGreaterThan(40);
  for (const [name, { width, height, data }] of textures) {
    expect(data.length, name).toBe(width * height * 4);
    const shipped = readFileSync(new URL(`${name}.rgba`, folder));
    expect(shipped.equals(data), name).toBe(true);
  }
});

it("allTextures lists every texture that apartments use", () => {
  const listed = new Set([...allTextures().values()].map(({ data }) => data));
  const before = listed.size;
  for (let seed = 0; seed < 12; seed++) {
    for (const { material } of generateApartment(seed).parts) {
      if (material.texture) listed.add(material.texture.data);
    }
  }
  expect(listed.size).toBe(before);
});
