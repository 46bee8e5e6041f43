import fc from "fast-check";

/** Properties that do not say how often they run are tried this often, or as often as time allows. */
fc.configureGlobal({
  numRuns: 5000,
  interruptAfterTimeLimit: 10_000,
  markInterruptAsFailure: false,
});
