import fc from "fast-check";

/**
 * Default number of cases of a property in `npm test`; test/soak-setup.ts has that of `npm run soak`. Under CI the cases
 * are always the same, so that a failure is due to the change.
 */
fc.configureGlobal({ numRuns: 30, ...(process.env.CI ? { seed: 20_260_101 } : {}) });
