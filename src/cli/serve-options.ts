export const PROCESS_ROLES = ["api", "worker", "all"] as const;

export type ServeOptions = {
  /** Processes that share the port. */
  readonly workers: number;
  readonly role: (typeof PROCESS_ROLES)[number];
  /** A program reads what is written once it is up: one object, no words. */
  readonly wantsJson: boolean;
};
