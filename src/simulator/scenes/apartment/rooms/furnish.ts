import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { RoomSpace } from "../placement/room-space.js";
import type { RoomKind } from "../plan/types.js";
import { furnishBathroom, furnishLaundry } from "./bathroom.js";
import { furnishBedroom } from "./bedroom.js";
import { decorate } from "./decorate.js";
import { furnishDiningRoom } from "./dining.js";
import { furnishCorridor, furnishStorage } from "./hall.js";
import { furnishKitchen } from "./kitchen.js";
import { furnishLivingRoom } from "./living.js";
import { furnishOffice } from "./office.js";

/** Inputs for furnishing a room. */
export interface Furnishing {
  readonly random: Random;
  readonly look: Look;
  readonly space: RoomSpace;
  readonly heightM: number;
  /** The apartment has no separate kitchen, so the living room contains one. */
  readonly withKitchen: boolean;
}

const RECIPES: Readonly<Record<RoomKind, (f: Furnishing) => void>> = {
  living_room: furnishLivingRoom,
  kitchen: furnishKitchen,
  bedroom: furnishBedroom,
  bathroom: furnishBathroom,
  corridor: furnishCorridor,
  dining_room: furnishDiningRoom,
  office: furnishOffice,
  laundry: furnishLaundry,
  storage: furnishStorage,
};

export function furnish(kind: RoomKind, furnishing: Furnishing): void {
  RECIPES[kind](furnishing);
  decorate(kind, furnishing);
}
