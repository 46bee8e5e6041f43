import fc from "fast-check";

/**
 * Default number of cases of a property, and the time after which it stops early. Under CI the cases are always
 * the same, so that a failure is due to the change; elsewhere they are new.
 */
fc.configureGlobal({
  numRuns: 5000,
  interruptAfterTimeLimit: 4_000,
  markInterruptAsFailure: false,
  ...(process.env.CI ? { seed: 20_260_101 } : {}),
});
