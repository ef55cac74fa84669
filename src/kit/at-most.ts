/** Waits for `work`, but no longer than `ms`. It goes on all the same; a failure after that is not left unhandled. */
export async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: Timer | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
