import { testCompletion } from "../support/completion.js";
import { installIfMissing } from "../support/debian.js";

installIfMissing("zsh fish", "command -v zsh >/dev/null && command -v fish >/dev/null");
testCompletion("zsh");
testCompletion("fish");
