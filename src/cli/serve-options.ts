export const PROCESS_ROLES = ["api", "worker", "all"] as const;

export type ServeOptions = {
  /** Processes that share the port. */
  readonly workers: number;
  readonly role: (typeof PROCESS_ROLES)[number];
};
