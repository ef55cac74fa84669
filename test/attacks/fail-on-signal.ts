const SECRET = "svc_live_0123456789012345678901234567890123456789012";

/** Preloaded into a gateway: a signal makes it forget to handle a rejection, or to catch an error, as a bug would. */
process.on("SIGUSR2", () => {
  void Promise.reject(new Error(`nobody handles this: ${SECRET}`));
});
process.on("SIGALRM", () => {
  throw new Error(`nobody catches this: ${SECRET}`);
});
