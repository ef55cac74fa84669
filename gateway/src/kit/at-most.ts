/**
 * Waits for `work`, but no longer than `ms`; returns whether it finished in time. The work itself continues. No timer
 * is left behind, and a later rejection of `work` is ignored.
 */
export async function atMost(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
