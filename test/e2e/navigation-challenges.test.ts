import { describeChallenges } from "../support/navigation-challenges.js";

// All of them are for the soak test.
describeChallenges(12, 120_000);
