import fc from "fast-check";

/**
 * Properties that do not say how often they run are tried this often, or as often as time allows.
 * Under CI always the same cases, so that a change fails for what it changed; elsewhere new ones.
 */
fc.configureGlobal({
  numRuns: 5000,
  interruptAfterTimeLimit: 10_000,
  markInterruptAsFailure: false,
  ...(process.env.CI ? { seed: 20_260_101 } : {}),
});
