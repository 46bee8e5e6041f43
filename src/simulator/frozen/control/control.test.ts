import { describe, expect, it } from "vitest";
import { GripController } from "./grip.js";
import { SymmetricSolver } from "./matrix.js";
import { matrixOfVector, rotationError } from "./rotation.js";

describe("the arithmetic of robosuite's controllers", () => {
  it("the arithmetic of robosuite controllers solves symmetric equations, and singular ones by least squares as numpy.linalg.pinv does", () => {
    const solver = new SymmetricSolver(2);
    const solved = (matrix: number[], b: Float64Array) => {
      solver.solve(Float64Array.from(matrix), b);
      return [...b];
    };
    expect(solved([4, 1, 1, 3], Float64Array.of(1, 2))).toEqual([
      expect.closeTo(1 / 11, 14),
      expect.closeTo(7 / 11, 14),
    ]);
    expect(solved([1, 1, 1, 1], Float64Array.of(2, 0))).toEqual([
      expect.closeTo(0.5, 14),
      expect.closeTo(0.5, 14),
    ]);
  });

  it("the arithmetic of robosuite controllers rounds rotations to single precision as robosuite 1.5.2 does", () => {
    // robosuite.utils.transform_utils: quat2mat(axisangle2quat([0.1, -0.2, 0.3])), to the last bit.
    expect(matrixOfVector([0.1, -0.2, 0.3])).toEqual(GOLDEN);
  });

  it("the arithmetic of robosuite controllers measures the error of a rotation as its axis times the sine of its angle", () => {
    const [x, y, z] = rotationError(matrixOfVector([0, 0, 0.3]), matrixOfVector([0, 0, 0]));
    expect([x, y]).toEqual([0, 0]);
    expect(z).toBeCloseTo(Math.sin(0.3), 7);
  });

  it("the arithmetic of robosuite controllers moves the fingers in every physics step where robosuite 1.4 does", () => {
    const grip = new GripController({
      ...{ type: "GRIP", start: 0, end: 1, actuators: ["a"], every: "physics_step" },
      ...{ input_min: [-1], input_max: [1], output_min: [-1], output_max: [1] },
      ...{ steps: [0.01], initial: [0], control_range: [[-1], [1]] },
    });
    grip.setGoal([0.3]);
    for (let i = 0; i < 24; i++) grip.run();
    expect(grip.run()).toEqual([expect.closeTo(0.25, 15)]);
  });

  it("the arithmetic of robosuite controllers moves the fingers a fifth of the way per control step, by the sign of the action", () => {
    const grip = new GripController({
      ...{ type: "GRIP", start: 0, end: 1, actuators: ["a", "b"], every: "control_step" },
      ...{ input_min: [-1, -1], input_max: [1, 1], output_min: [-1, -1], output_max: [1, 1] },
      ...{ steps: [-0.2, 0.2], initial: [0, 0] },
      control_range: [
        [0, -0.04],
        [0.04, 0],
      ],
    });
    grip.setGoal([0.01]);
    expect(grip.run()).toEqual([expect.closeTo(0.016, 15), expect.closeTo(-0.016, 15)]);
    for (let i = 0; i < 9; i++) grip.setGoal([-1]);
    expect(grip.run()).toEqual([0.04, -0.04]);
  });
});

const GOLDEN = [
  0.9357548039406538, -0.3029327392578125, -0.180540069937706, 0.28316497802734375,
  0.950580617878586, -0.1273345798254013, 0.21019171178340912, 0.06803131848573685,
  0.9752903101034462,
];
