/** How geoms are drawn, in the order of MuJoCo's `mjtGeom`. A signed distance field is drawn as its mesh. */
export const GEOM_TYPES = [
  "plane",
  "hfield",
  "sphere",
  "capsule",
  "ellipsoid",
  "cylinder",
  "box",
  "mesh",
  "mesh",
] as const;
