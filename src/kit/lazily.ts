/**
 * Loads when it is first asked, once however many ask; whoever asks after a failure tries again. For what costs
 * megabytes or a connection that an unused part need not pay.
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
