// A robot as a plugin: a module whose default export is its descriptor. This robot's body is part of the scene file,
// and the names below refer to that file.
export default {
  robotType: "crane",
  description: "a crane with a swivel, a boom, a hoist and a claw",
  joints: [
    { name: "swivel", unit: "rad", limits: [-2.09, 2.09] },
    { name: "boom", unit: "m", limits: [-0.15, 0.35] },
    { name: "hoist", unit: "m", limits: [0, 0.45] },
    { name: "jaw_a", unit: "m", limits: [-0.06, 0.01] },
  ],
  // The numbers of an action, in order. Coupled joints would share one.
  dofs: [
    { name: "swivel", joints: ["swivel"], limits: [-2.09, 2.09] },
    { name: "boom", joints: ["boom"], limits: [-0.15, 0.35] },
    { name: "hoist", joints: ["hoist"], limits: [0, 0.45] },
    { name: "claw", joints: ["jaw_a"], limits: [-0.06, 0.01] },
  ],
  gripperDof: 3,
  model: {
    // No `mjcf`: the body is in the scene file. A robot for any scene has its own file:
    // mjcf: { file: new URL("./crane.xml", import.meta.url) },
    actuators: ["turn", "reach", "winch", "claw"],
    home: [0, 0, 0, 0],
    endEffectorSite: "grip",
    gripper: { open: 0, closed: -0.06, fingers: [["pad_a"], ["pad_b"]], openingM: 0.1 },
    cameras: { head: "gallery", wrist: "claw" },
  },
};
