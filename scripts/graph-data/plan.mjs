// The floor plans of the houses: types of rooms, and their order.

/** `spots` are viewpoints in a room with their description; `inner` rooms have no door to a hall. */
export const ROOMS = {
  living_room: { width: 5.4, spots: { sofa: "by the sofa", fireplace: "by the fireplace" } },
  dining_room: { width: 4.2, spots: { table: "at the dining table" } },
  kitchen: { width: 4.0, spots: { sink: "at the sink" } },
  pantry: { width: 2.4, inner: true },
  study: { width: 3.4, spots: { desk: "at the desk" } },
  library: { width: 4.0, spots: { armchair: "by the armchair" } },
  music_room: { width: 4.4, spots: { piano: "by the piano" } },
  playroom: { width: 3.8, spots: { toy_box: "by the toy box" } },
  laundry_room: { width: 2.8, spots: { washing_machine: "at the washing machine" } },
  guest_toilet: { width: 2.2 },
  bathroom: { width: 3.0, spots: { bathtub: "by the bathtub" } },
  shower_room: { width: 2.4 },
  main_bedroom: { width: 4.6, spots: { bed: "beside the bed", wardrobe: "at the wardrobe" } },
  en_suite: { width: 2.6, inner: true, label: "en-suite bathroom" },
  dressing_room: { width: 2.6, inner: true },
  guest_room: { width: 3.8, spots: { bed: "beside the bed" } },
  childrens_room: { width: 4.0, spots: { bunk_bed: "by the bunk bed" }, label: "children's room" },
  nursery: { width: 3.2, spots: { cot: "by the cot" } },
};

/** Adjacent rooms with a door between them, in either order. */
export const SIDE_DOORS = [
  ["living_room", "dining_room"],
  ["dining_room", "kitchen"],
  ["living_room", "kitchen"],
  ["kitchen", "pantry"],
  ["main_bedroom", "en_suite"],
  ["main_bedroom", "dressing_room"],
  ["living_room", "music_room"],
  ["childrens_room", "playroom"],
];

/**
 * The order of the rooms: `rows` to the left and right of the hallway as seen from the front door, then
 * `corridor` or `upstairs`. Stairs are added at the end of the left rows. A terrace is a viewpoint that is
 * not included; the published graphs have such viewpoints.
 */
export const HOUSES = [
  {
    scene: "house_00",
    split: "val",
    rows: ["living_room dining_room kitchen", "study guest_toilet laundry_room library"],
    corridor: "main_bedroom en_suite bathroom childrens_room",
    terrace: "living_room_sofa",
  },
  {
    scene: "house_01",
    split: "val",
    rows: ["dining_room kitchen pantry", "guest_toilet living_room music_room"],
    upstairs: ["nursery bathroom guest_room", "en_suite main_bedroom study shower_room"],
  },
  {
    scene: "house_02",
    split: "val",
    rows: ["guest_room shower_room playroom childrens_room", "kitchen living_room music_room"],
    corridor: "study bathroom main_bedroom dressing_room",
  },
  {
    scene: "house_03",
    split: "val",
    rows: ["living_room kitchen", "laundry_room dining_room guest_toilet library"],
    upstairs: ["dressing_room main_bedroom study", "childrens_room bathroom guest_room"],
    terrace: "living_room_fireplace",
  },
  {
    scene: "house_04",
    split: "val",
    rows: ["pantry kitchen dining_room living_room", "library guest_room guest_toilet music_room"],
    corridor: "nursery main_bedroom en_suite",
  },
  {
    scene: "house_05",
    split: "train",
    rows: ["living_room dining_room kitchen pantry", "music_room study guest_toilet guest_room"],
    corridor: "bathroom main_bedroom dressing_room nursery",
    terrace: "living_room_fireplace",
  },
  {
    scene: "house_06",
    split: "train",
    rows: ["kitchen dining_room study", "library guest_toilet living_room"],
    upstairs: ["bathroom childrens_room playroom", "main_bedroom en_suite nursery guest_room"],
  },
  {
    scene: "house_07",
    split: "train",
    rows: ["laundry_room study guest_room", "dining_room living_room kitchen"],
    upstairs: ["shower_room library nursery", "dressing_room main_bedroom bathroom playroom"],
    terrace: "living_room_sofa",
  },
];

export const labelOf = (id) => ROOMS[id]?.label ?? id.replaceAll("_", " ");
