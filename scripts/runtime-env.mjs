/** What Bun reads once, before it starts; what the operator has set stays. */
const RUNTIME_ENV = {
  // Bun runs 256 requests at once and queues the rest, unless told otherwise.
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65336",
  // A gateway's work is spread thin over much code: its last and dearest compiler spends more on that than it gives
  // back. Tight loops still reach it, a little later.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "2000000",
  // In return the compiler before it, which is cheap, may put larger functions into their callers; usually 80.
  BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForDFG: "200",
  BUN_JSC_maximumFunctionForClosureCallInlineCandidateBytecodeCostForDFG: "200",
  BUN_JSC_maximumFunctionForConstructInlineCandidateBytecodeCostForDFG: "200",
  // The collector lets its heap grow with the machine's memory. Taken for a small one it keeps a quarter less, at the
  // same cost; whoever needs more than this gets it.
  BUN_JSC_forceRAMSize: String(512 * 1024 * 1024),
};

/** What is never asked through a proxy: this machine, where the gateway's own processes and the doctor ask each other. */
const OWN_HOSTS = ["localhost", "127.0.0.1", "::1"];

export function withRuntimeEnv(env) {
  // The spelling that Bun prefers, so that both of the operator's have been looked at.
  const excepted = [env.no_proxy || env.NO_PROXY, ...OWN_HOSTS, env.HOST].filter(Boolean).join(",");
  return {
    ...RUNTIME_ENV,
    ...env,
    no_proxy: excepted,
    // Bun adds another program's session to our bucket's key, unless there is an empty one of this name.
    S3_SESSION_TOKEN: "",
  };
}
