import { describeChallenges } from "../support/navigation-challenges.js";

// test/soak/navigation-challenges runs more of them.
describeChallenges(8, undefined, 120_000);
