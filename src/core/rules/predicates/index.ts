import type { Predicate, Predicates } from "../predicate.js";
import { above } from "./above.js";
import { atRest } from "./at-rest.js";
import { clear } from "./clear.js";
import { collided } from "./collided.js";
import { fingerContact } from "./finger-contact.js";
import { flag } from "./flag.js";
import { grasped } from "./grasped.js";
import { higher } from "./higher.js";
import { inside } from "./in.js";
import { closed } from "./joints/closed.js";
import { jointAt } from "./joints/joint-at.js";
import { open } from "./joints/open.js";
import { pulled } from "./joints/pulled.js";
import { turnedOff } from "./joints/turned-off.js";
import { turnedOn } from "./joints/turned-on.js";
import { liberoRegion } from "./libero-region.js";
import { lifted } from "./lifted.js";
import { moved } from "./moved.js";
import { near } from "./near.js";
import { notTurning } from "./not-turning.js";
import { on } from "./on.js";
import { onTop } from "./on-top.js";
import { reached } from "./reached.js";
import { released } from "./released.js";
import { reportedSuccess } from "./reported-success.js";
import { robotNear } from "./robot-near.js";
import { supported } from "./supported.js";
import { touching } from "./touching.js";
import { upright } from "./upright.js";
import { fillsImage } from "./views/fills-image.js";
import { inView } from "./views/in-view.js";
import { visible } from "./views/visible.js";

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
