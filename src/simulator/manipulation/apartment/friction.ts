import type { Vec3 } from "../../../core/math/vec3.js";

/**
 * Sliding, torsional and rolling friction of floors and furniture. Low, so that the friction of what touches them applies:
 * MuJoCo uses the larger of the two.
 */
export const FURNITURE_FRICTION: Vec3 = [0.2, 0.005, 0.0001];
