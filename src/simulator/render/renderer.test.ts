import { describe, expect, it } from "vitest";
import {
  BACKGROUND,
  box,
  boxes,
  camera,
  part,
  rendererOf,
  texture,
  WHITE,
  wall,
} from "../../../test/support/render-scene.js";
import { Random } from "../../core/math/random.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import type { Material } from "../scenes/model.js";

describe("a moved part", () => {
  const lit: Material = { ...WHITE, unlit: false };
  const moved = (x: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, z, 1];
  const c = camera({ position: [0, 0, 5] });

  it("a moved part is rendered as if built at its last transform", () => {
    const renderer = rendererOf(part(box([-1, -1, -1], [1, 1, 1]), { material: lit }));
    const before = renderer.render(c, { rgb: true, depth: true, ids: true });
    renderer.setTransform(0, moved(1, -2));
    const after = renderer.render(c, { rgb: true, depth: true, ids: true });
    const built = rendererOf(part(box([0, -1, -3], [2, 1, -1]), { material: lit }));
    expect(after.ids).toEqual(built.render(c, { ids: true }).ids);
    expect(after.rgb).toEqual(built.render(c, { rgb: true }).rgb);
    renderer.setTransform(0, moved(0, 0));
    expect(renderer.render(c, { rgb: true, depth: true, ids: true })).toEqual(before);
    renderer.setTransform(0, moved(100, 0));
    expect(renderer.render(c, { ids: true }).ids?.some((id) => id !== 0)).toBe(false);
  });

  it("a rotated part is lit again", () => {
    const renderer = rendererOf(part(box([-1, -1, -1], [1, 1, 1]), { material: lit }));
    const before = renderer.render(c, { rgb: true }).rgb;
    // Half a turn about the vertical: the box covers the same pixels with its other side.
    renderer.setTransform(0, [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]);
    const after = renderer.render(c, { rgb: true }).rgb;
    expect(after).toEqual(before);
    renderer.setTransform(0, [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
    expect(renderer.render(c, { rgb: true }).rgb).toEqual(before);
  });

  it("a mirroring transform keeps front faces in front", () => {
    const plain = rendererOf(part(box([-1, -1, -1], [1, 1, 1]), { material: lit }));
    const transform = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const mirrored = rendererOf(part(box([-1, -1, -1], [1, 1, 1]), { material: lit, transform }));
    const outputs = { rgb: true, depth: true };
    expect(mirrored.render(c, outputs)).toEqual(plain.render(c, outputs));
  });

  it("the renderer rejects moving a missing part or with a transform that is not 16 numbers", () => {
    const renderer = rendererOf(part(wall(1)));
    expect(() => renderer.setTransform(1, moved(0, 0))).toThrow(/no part 1/);
    expect(() => renderer.setTransform(0, [1, 2, 3])).toThrow(/16 finite numbers/);
  });
});

describe("a rendered frame", () => {
  const stripes = texture(32, 32, (x) => [x * 8, 200, 0, 255]);
  const striped = wall(9, 9, { uvs: Float32Array.of(0, 3, 3, 3, 3, 0, 0, 0) });
  const scene = [
    ...boxes(new Random(5), 12).map(({ min, max }, i) => part(box(min, max), { instance: i + 1 })),
    part(striped, { material: { ...WHITE, texture: stripes }, instance: 99 }),
  ];
  const aside = camera({ rotation: headingToQuatXyzw(0.4) });

  it("a frame contains only the requested outputs, which do not affect each other", () => {
    const renderer = rendererOf(...scene);
    const all = renderer.render(aside, { rgb: true, depth: true, ids: true });
    expect(renderer.render(aside, { rgb: true })).toEqual({
      width: 64,
      height: 48,
      rgb: all.rgb,
    });
    expect(renderer.render(aside, { depth: true }).depth).toEqual(all.depth);
    expect(renderer.render(aside, { ids: true }).ids).toEqual(all.ids);
    expect(renderer.render(aside, {})).toEqual({ width: 64, height: 48 });
  });

  it("a frame belongs to the caller: later frames do not change its bytes", () => {
    const renderer = rendererOf(...scene);
    const outputs = { rgb: true, depth: true, ids: true };
    const first = renderer.render(camera(), outputs);
    const kept = structuredClone(first);
    renderer.render(camera({ width: 7, height: 5, rotation: headingToQuatXyzw(1) }), outputs);
    renderer.render(camera({ width: 101, height: 77, rotation: headingToQuatXyzw(2) }), outputs);
    expect(first).toEqual(kept);
    expect(renderer.render(camera(), outputs)).toEqual(kept);
    expect(rendererOf(...scene).render(camera(), outputs)).toEqual(kept);
  });

  it("every pixel of a frame with odd size is coloured", () => {
    const { rgb } = rendererOf(part(wall(1))).render(camera({ width: 3, height: 5 }), {
      rgb: true,
    });
    expect(rgb).toEqual(new Uint8Array(45).fill(255));
  });

  it("an empty scene is rendered as sky", () => {
    const { rgb, depth } = rendererOf().render(camera({ width: 1, height: 1 }), {
      rgb: true,
      depth: true,
    });
    expect([[...(rgb ?? [])], depth?.[0]]).toEqual([BACKGROUND, 0]);
  });
});
