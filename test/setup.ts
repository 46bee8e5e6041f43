import { afterAll } from "vitest";
import { cleanUp } from "./support/clean-up.js";

afterAll(cleanUp);
