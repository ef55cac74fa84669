/** What every adapter of this folder is given. */
export type AiSdkDeps = {
  /** The outbound fetch in the library's terms: timeouts, bounds and failures are its business. */
  readonly fetch: typeof fetch;
};
