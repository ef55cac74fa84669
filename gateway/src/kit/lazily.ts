/**
 * Loads on first use, once for all concurrent callers; a call after a failure tries again. For things that cost
 * megabytes or a connection, which an unused feature should not pay for.
 */
export function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
