import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type QuatXyzw, quatXyzwToHeading } from "../../src/core/math/rotation.js";
import type { Vec3 } from "../../src/core/math/vec3.js";
import { ahead } from "../../src/simulator/navigation/kinematics.js";
import { describeWithSharedData, sharedData } from "../shared-data.js";

const FORWARD_M = 0.25;
const TURN_RAD = (15 * Math.PI) / 180;
const WITHIN_M = 0.01;

interface Split {
  readonly episodes: readonly {
    readonly episode_id: number;
    readonly start_rotation: QuatXyzw;
  }[];
}
type GroundTruth = Readonly<
  Record<string, { readonly locations: readonly Vec3[]; readonly actions: readonly number[] }>
>;

function read<T>(path: string): T {
  return JSON.parse(gunzipSync(readFileSync(sharedData(path))).toString("utf8")) as T;
}

/**
 * Habitat's own steps, recorded by VLN-CE's ground-truth follower on Matterport scenes (R2R_VLNCE v1-3). The
 * floors are uneven and some steps slide along walls; the free-space model predicts the others.
 */
describeWithSharedData("the recorded actions of R2R-CE val_seen, in free space", () => {
  it("recorded actions lead to the recorded locations within 1 cm in at least 97 % of forward steps", () => {
    const { episodes } = read<Split>("r2r_vlnce/v1-3/val_seen/val_seen.json.gz");
    const truth = read<GroundTruth>("r2r_vlnce/v1-3/val_seen/val_seen_gt.json.gz");
    let steps = 0;
    let near = 0;
    for (const { episode_id, start_rotation } of episodes) {
      const { locations = [], actions = [] } = truth[episode_id] ?? {};
      let heading = quatXyzwToHeading(start_rotation);
      let at = 0;
      for (const action of actions) {
        if (action === 2) heading += TURN_RAD;
        if (action === 3) heading -= TURN_RAD;
        if (action !== 1) continue;
        const [from, to] = [locations[at], locations[at + 1]];
        at++;
        if (!from || !to) throw new Error(`episode ${episode_id} has no location ${at}`);
        const [x, , z] = ahead(from, heading, FORWARD_M);
        steps++;
        if (Math.hypot(x - to[0], z - to[2]) < WITHIN_M) near++;
      }
      expect(at).toBe(locations.length - 1);
    }
    expect(steps).toBe(30_156);
    expect(near / steps).toBeGreaterThan(0.97);
  });
});
