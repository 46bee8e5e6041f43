import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { box, boxes, camera, floor, part } from "../../../test/support/render-scene.js";
import { Random } from "../../core/math/random.js";
import type { QuatXyzw } from "../../core/math/rotation.js";
import type { TriangleMesh } from "../scenes/model.js";
import { viewOf } from "./camera.js";
import { visibleChunks } from "./cull.js";
import { isHidden } from "./occlusion.js";
import { depthInto, idsInto } from "./outputs.js";
import { type PlacedChunk, RenderPart } from "./part.js";
import { Renderer } from "./renderer.js";
import { Surfaces } from "./surfaces.js";
import { Triangles } from "./triangles.js";
import { Visibility } from "./visibility.js";

/** Merges many boxes into one mesh that is large enough to be split into chunks. */
function merged(meshes: readonly TriangleMesh[]): TriangleMesh {
  const indices: number[] = [];
  let first = 0;
  for (const mesh of meshes) {
    for (const index of mesh.indices) indices.push(index + first);
    first += mesh.positions.length / 3;
  }
  const positions = Float32Array.from(meshes.flatMap((mesh) => [...mesh.positions]));
  return { positions, indices: Uint32Array.from(indices) };
}

describe("culling", () => {
  const town = boxes(new Random(3), 300).map(({ min, max }) => box(min, max));
  // Some of the boxes are in two large parts, the others are separate parts.
  const parts = [
    part(merged(town.slice(0, 100))),
    part(merged(town.slice(100, 200)), { instance: 2 }),
    ...town.slice(200).map((mesh, i) => part(mesh, { instance: 3 + i })),
  ];
  const ready = parts.map((p, index) => new RenderPart(p, index));
  const chunks = ready.flatMap((p) => p.chunks);

  it("culling never changes the image", () => {
    const renderer = new Renderer({ parts });
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(number, number, number, number, (x, y, z, w) => {
        const rotation: QuatXyzw = [x, y, z, w + 1.001];
        const c = camera({ rotation, position: [x * 3, y * 3, z * 3], hfovDeg: 60 + 50 * w });
        const frame = renderer.render(c, { depth: true, ids: true });
        // The same image with every chunk drawn, in the order of the scene.
        const visibility = new Visibility();
        const surfaces = new Surfaces();
        const triangles = new Triangles(visibility, surfaces);
        visibility.clear(c.width, c.height, Number.POSITIVE_INFINITY);
        for (const chunk of chunks) triangles.draw(chunk, viewOf(c), false);
        const depth = new Float32Array(c.width * c.height);
        depthInto(depth, visibility);
        const ids = new Uint16Array(c.width * c.height);
        idsInto(ids, visibility, surfaces);
        expect(frame.depth).toEqual(depth);
        expect(frame.ids).toEqual(ids);
      }),
      { numRuns: 60 },
    );
  });

  it("culling removes chunks beside, behind and beyond the view and sorts the nearest first", () => {
    const at = (x: number, z: number) => box([x - 0.1, -0.1, z - 0.1], [x + 0.1, 0.1, z + 0.1]);
    const places = [at(0, -9), at(0, -3), at(0, 5), at(-20, -3), at(0, -60), at(0.5, -1)];
    const scene = places.map(
      (mesh, index) => new RenderPart(part(mesh, { instance: index }), index),
    );
    const seen = visibleChunks(
      scene.flatMap((p) => p.chunks),
      viewOf(camera({ farM: 50 })),
    );
    expect(seen.map((chunk) => chunk.part.instance)).toEqual([5, 1, 0]);
  });

  it("occlusion culling keeps a chunk slightly in front of one that was drawn before", () => {
    // The floor is nearest to the camera and is drawn first; the tiles protrude by a centimetre.
    const tiles = [2, 3, 5, 8].map((away) => box([-0.5, 0, -away - 0.5], [0.5, 0.01, -away]));
    const scene = [floor(0, 20), ...tiles].map((mesh, instance) => part(mesh, { instance }));
    const c = camera({ position: [0, 1.2, 0], width: 320, height: 240 });
    const { ids } = new Renderer({ parts: scene }).render(c, { ids: true });
    expect([...new Set(ids)].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  it("occlusion culling removes chunks behind a wall", () => {
    const visibility = new Visibility();
    const view = viewOf(camera());
    visibility.clear(view.width, view.height, view.farM);
    const [front, behind, wide] = [
      box([-1, -1, -3], [1, 1, -2]),
      box([-0.9, -0.9, -5], [0.9, 0.9, -4]),
      box([-0.9, -0.9, -5], [9, 0.9, -4]),
    ].map((mesh, index) => new RenderPart(part(mesh), index).chunks[0] as PlacedChunk) as [
      PlacedChunk,
      PlacedChunk,
      PlacedChunk,
    ];
    expect(isHidden(behind, view, visibility)).toBe(false);
    new Triangles(visibility, new Surfaces()).draw(front, view, false);
    const hidden = [front, behind, wide].map((chunk) => isHidden(chunk, view, visibility));
    expect(hidden).toEqual([false, true, false]);
  });

  it("culling splits a mesh of many triangles into chunks that are culled separately", () => {
    expect(chunks.length).toBeGreaterThan(parts.length + 20);
    const drawn = chunks.reduce((sum, { chunk }) => sum + chunk.indices.length, 0);
    expect(drawn).toBe(parts.reduce((sum, { mesh }) => sum + mesh.indices.length, 0));
    const seen = visibleChunks(chunks, viewOf(camera({ hfovDeg: 40 })));
    expect(seen.length).toBeLessThan(chunks.length / 2);
  });
});

describe("a mesh", () => {
  it("the renderer rejects a mesh with a triangle that refers to a missing vertex", () => {
    const mesh = { positions: new Float32Array(9), indices: Uint32Array.of(0, 1, 3) };
    expect(() => new Renderer({ parts: [part(mesh)] })).toThrow(
      /refers to vertex 3, but the mesh has 3 vertices/,
    );
  });

  it("the renderer draws a mesh even if all its triangles coincide", () => {
    const mesh = merged(Array.from({ length: 50 }, () => box([-1, -1, -4], [1, 1, -2])));
    const { depth } = new Renderer({ parts: [part(mesh)] }).render(camera(), { depth: true });
    expect(depth?.[24 * 64 + 32]).toBe(2);
  });
});
