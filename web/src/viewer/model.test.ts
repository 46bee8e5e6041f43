import {
  BoxGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Plane,
  Vector3,
} from "three";
import { describe, expect, it, vi } from "vitest";
import { cutawayModel } from "./model.js";
import { SeeThrough } from "./see-through.js";

const house = (category: string | null): Group => {
  const root = new Group();
  const mesh = new Mesh(new BoxGeometry(4, 1, 4), new MeshStandardMaterial());
  if (category !== null) mesh.userData.category = category;
  root.add(mesh);
  return root;
};

const cut = (root: Group) =>
  cutawayModel(root, new Plane(new Vector3(0, -1, 0), 1.6), new SeeThrough());

describe("cutawayModel", () => {
  it("cutawayModel loads a scene that names no floor without an error of three.js", () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { root } = cut(house(null));
    expect(error).not.toHaveBeenCalled();
    expect(root.children).toHaveLength(1);
    error.mockRestore();
  });

  it("cutawayModel cuts the building, but neither the robot nor an object that it handles", () => {
    const clipped = (category: string) => {
      const root = house(category);
      cut(root);
      const [mesh] = root.children;
      const material = mesh instanceof Mesh ? mesh.material : undefined;
      return material instanceof MeshLambertMaterial && material.clippingPlanes !== null;
    };
    expect(["surroundings", "robot", "object"].map(clipped)).toEqual([true, false, false]);
  });

  it("cutawayModel adds an underside per floor, visible from above only", () => {
    const model = cut(house("floor"));
    expect(model.root.children).toHaveLength(2);
    model.setFromAbove(false);
    expect(model.root.children[1]?.visible).toBe(false);
  });
});
