import { testCompletion } from "../support/completion.js";

testCompletion("bash");
