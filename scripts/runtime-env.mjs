/** Variables that Bun reads once, before it starts; those that the operator has set stay. */
const RUNTIME_ENV = {
  // By default Bun runs 256 requests at once and queues the rest.
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65336",
  // A gateway's work is spread thin over much code: Bun's last and most expensive compiler spends more on that than it
  // gives back. Tight loops still reach it, a little later.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "2000000",
  // In return the cheaper compiler before it may inline larger functions; the default is 80.
  BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForDFG: "200",
  BUN_JSC_maximumFunctionForClosureCallInlineCandidateBytecodeCostForDFG: "200",
  BUN_JSC_maximumFunctionForConstructInlineCandidateBytecodeCostForDFG: "200",
  // The garbage collector lets its heap grow with the machine's memory. Told that the machine is small, it keeps a
  // quarter less at the same cost; a process that needs more than this still gets it.
  BUN_JSC_forceRAMSize: String(512 * 1024 * 1024),
};

/** Never reached through a proxy: on this machine the gateway's own processes and the doctor call each other. */
const OWN_HOSTS = ["localhost", "127.0.0.1", "::1"];

export function withRuntimeEnv(env) {
  // Bun prefers the lower-case name, so both of the operator's spellings are considered here.
  const excepted = [env.no_proxy || env.NO_PROXY, ...OWN_HOSTS, env.HOST].filter(Boolean).join(",");
  return {
    ...RUNTIME_ENV,
    ...env,
    no_proxy: excepted,
    // Bun would add another program's session token to our bucket's key, unless this is set and empty.
    S3_SESSION_TOKEN: "",
  };
}
