/** The actions of VLN, as in R2R-CE. */
export const VLN_ACTIONS = ["stop", "move_forward", "turn_left", "turn_right"] as const;
