/**
 * When a controller reads the state: between the halves of each physics step, after one or two additional forward passes
 * before each, or once before all of them. Each pass changes where the solver starts, and thereby the last digits of the
 * trajectory.
 */
export const CONTROL_ORDERS = [
  "step1_step2",
  "forward_step",
  "forward_forward_step",
  "once",
] as const;
export type ControlOrder = (typeof CONTROL_ORDERS)[number];
