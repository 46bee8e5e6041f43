/**
 * When a controller reads the state of a physics step: between its two halves, or after one or two additional forward
 * passes. Each pass changes where the solver starts, and thereby the last digits of the trajectory.
 */
export const CONTROL_ORDERS = ["step1_step2", "forward_step", "forward_forward_step"] as const;
export type ControlOrder = (typeof CONTROL_ORDERS)[number];
