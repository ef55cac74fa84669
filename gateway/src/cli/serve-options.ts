export const PROCESS_ROLES = ["api", "worker", "all"] as const;

export type ServeOptions = {
  /** Number of processes that share the port. */
  readonly workers: number;
  readonly role: (typeof PROCESS_ROLES)[number];
  /** The welcome is one JSON object, for a program to read. */
  readonly wantsJson: boolean;
};
