/** The numbers of the preset `rearranged`, by their keys in `success_criteria`. */
export interface RearrangementLimits {
  /** Metres from the base to the target's bounding box, horizontally. */
  readonly find_distance: number;
  /** Share of the target's surface that faces the head camera. */
  readonly view_share: number;
  /** Share of the head camera's image. */
  readonly image_share: number;
  /** Consecutive control steps. */
  readonly pick_steps: number;
  readonly place_steps: number;
  /** m/s and rad/s. */
  readonly rest_speed: number;
  readonly rest_turn: number;
  /** Newtons; success then needs that the robot never collided harder. */
  readonly collision_force?: number | undefined;
}

const DESIGN: RearrangementLimits = {
  find_distance: 1.5,
  view_share: 0.1,
  image_share: 0,
  pick_steps: 10,
  place_steps: 10,
  rest_speed: 0.01,
  rest_turn: 0.5,
};

/**
 * HomeRobot's OVMM, from facebookresearch/habitat-lab at b727ca9, which facebookresearch/home-robot pins:
 * habitat-lab/habitat/config/habitat/task/ovmm/ovmm.yaml and habitat-lab/habitat/config/default_structured_configs.py.
 */
const OVMM: RearrangementLimits = {
  // `nav_to_pick_succ.success_distance` 0.1 m from a view point; view points are up to 1.0 m from the target's box.
  find_distance: 1.1,
  view_share: 0,
  // `min_object_coverage_iou`
  image_share: 1e-3,
  pick_steps: 1,
  // `PlacementStabilityMeasurementConfig.stability_steps`
  place_steps: 50,
  // `object_at_rest.linear_vel_thresh` and `angular_vel_thresh`
  rest_speed: 5e-3,
  rest_turn: 5e-2,
  // projects/habitat_ovmm/utils/metrics_utils.py of home-robot: overall success needs no collision with the scene.
  collision_force: 1,
};

type Given = { readonly [K in keyof RearrangementLimits]?: RearrangementLimits[K] | undefined };

/** The numbers of a profile, with those that an episode or benchmark sets. */
export function rearrangementLimits({
  profile,
  ...given
}: Given & { readonly profile?: string | undefined }): RearrangementLimits {
  const usual = profile === "ovmm" ? OVMM : DESIGN;
  return {
    find_distance: given.find_distance ?? usual.find_distance,
    view_share: given.view_share ?? usual.view_share,
    image_share: given.image_share ?? usual.image_share,
    pick_steps: given.pick_steps ?? usual.pick_steps,
    place_steps: given.place_steps ?? usual.place_steps,
    rest_speed: given.rest_speed ?? usual.rest_speed,
    rest_turn: given.rest_turn ?? usual.rest_turn,
    collision_force: given.collision_force ?? usual.collision_force,
  };
}
