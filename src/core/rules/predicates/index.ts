import type { Predicate, Predicates } from "../predicate.js";
import { above } from "./above.js";
import { atRest } from "./at-rest.js";
import { clear } from "./clear.js";
import { closed } from "./closed.js";
import { collided } from "./collided.js";
import { fillsImage } from "./fills-image.js";
import { fingerContact } from "./finger-contact.js";
import { flag } from "./flag.js";
import { grasped } from "./grasped.js";
import { higher } from "./higher.js";
import { inside } from "./in.js";
import { inView } from "./in-view.js";
import { jointAt } from "./joint-at.js";
import { liberoRegion } from "./libero-region.js";
import { lifted } from "./lifted.js";
import { moved } from "./moved.js";
import { near } from "./near.js";
import { notTurning } from "./not-turning.js";
import { on } from "./on.js";
import { onTop } from "./on-top.js";
import { open } from "./open.js";
import { pulled } from "./pulled.js";
import { reached } from "./reached.js";
import { released } from "./released.js";
import { reportedSuccess } from "./reported-success.js";
import { robotNear } from "./robot-near.js";
import { supported } from "./supported.js";
import { touching } from "./touching.js";
import { turnedOff } from "./turned-off.js";
import { turnedOn } from "./turned-on.js";
import { upright } from "./upright.js";
import { visible } from "./visible.js";

export const BUILT_IN_PREDICATES: readonly Predicate[] = [
  ...[
    on,
    onTop,
    above,
    higher,
    supported,
    inside,
    liberoRegion,
    near,
    touching,
    clear,
    upright,
    lifted,
    moved,
  ],
  ...[reached, grasped, fingerContact, released, pulled, atRest, notTurning],
  ...[open, closed, turnedOn, turnedOff, jointAt, robotNear, collided, visible, inView, fillsImage],
  ...[reportedSuccess, flag],
];

const BY_NAME = new Map(BUILT_IN_PREDICATES.map((predicate) => [predicate.name, predicate]));

/** The built-in predicates, for tasks outside of a registry. */
export const builtInPredicates: Predicates = {
  find: (name) => BY_NAME.get(name),
  list: () => [...BY_NAME.keys()],
};
