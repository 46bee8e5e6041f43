// Ends with 0 where the process beside it answers /healthz on ROBOT_EVAL_METRICS_PORT, and where that is not set.
const port = process.env.ROBOT_EVAL_METRICS_PORT;
if (port) {
  const signal = AbortSignal.timeout(4000);
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined);
  process.exitCode = answer?.ok ? 0 : 1;
}
