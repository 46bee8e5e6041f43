import { describeGraspControls } from "../support/manipulation-controls.js";

describeGraspControls(3);
