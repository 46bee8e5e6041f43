import { describeNavData } from "../support/nav-data.js";

describeNavData("train");
