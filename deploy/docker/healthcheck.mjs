// Exits with 0 if the process in the container answers /healthz on ROBOT_EVAL_METRICS_PORT, or if that is not set.
const port = process.env.ROBOT_EVAL_METRICS_PORT;
if (port) {
  const signal = AbortSignal.timeout(4000);
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined);
  process.exitCode = answer?.ok ? 0 : 1;
}
