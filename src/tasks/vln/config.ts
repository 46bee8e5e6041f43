import { navigationConfig } from "../navigation.js";

/** A VLN task's `config:` section. */
export const vlnConfig = navigationConfig;
