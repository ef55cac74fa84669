/**
 * Waits for the work, but no longer than `ms`; says whether it was done. It goes on all the same: no timer is left behind,
 * and a failure that comes later is nobody's.
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
