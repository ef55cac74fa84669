/** What Bun reads once, before it starts; what the operator has set stays. */
const RUNTIME_ENV = {
  // Bun runs 256 requests at once and queues the rest, unless told otherwise.
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65336",
  // A gateway's work is spread thin over much code: its last and dearest compiler spends more on that than it gives
  // back. Tight loops still reach it, a little later.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "2000000",
};

export function withRuntimeEnv(env) {
  return { ...RUNTIME_ENV, ...env };
}
