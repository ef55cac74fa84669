const SECRET = "svc_live_0123456789012345678901234567890123456789012";

/** Preloaded into a gateway: on a signal it leaves a rejection unhandled or an error uncaught, as a bug would. */
process.on("SIGUSR2", () => {
  void Promise.reject(new Error(`nobody handles this: ${SECRET}`));
});
process.on("SIGALRM", () => {
  throw new Error(`nobody catches this: ${SECRET}`);
});
