import { PeerError } from "../websocket/peer-error.js";

/** What a policy that refuses us means for who started the run. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthorized: "set the environment's ROBOT_EVAL_POLICY_TOKEN to the policy's token",
  busy: "it serves one session at a time: run with --workers 1 and --concurrency 1, let other runs end, or serve a class that is made anew for each session: serve(MyPolicy) in place of serve(MyPolicy())",
  version_mismatch: "update the older of the two",
};

/** The error of a handshake with its place and its remedy. */
export function explained(
  error: unknown,
  where: string,
  { waitsForTurn }: { readonly waitsForTurn: boolean },
): unknown {
  if (!(error instanceof PeerError)) return error;
  const { code, message, hint } = error;
  return new PeerError(code, REFUSED.has(code) ? `the policy refuses: ${message}` : message, {
    where: error.where ?? where,
    hint: REMEDIES[code] ?? hint,
    transient: error.transient || (code === "busy" && waitsForTurn),
    cause: error,
  });
}

const REFUSED: ReadonlySet<string> = new Set(Object.keys(REMEDIES));
