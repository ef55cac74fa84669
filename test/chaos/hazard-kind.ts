/** What goes wrong in a random run. Each kind follows its own schedule. */
export const HAZARD_KINDS = [
  "kill",
  "stop",
  "terminate",
  "clock",
  "database_stop",
  "database_link",
  "client_link",
  "upstream_link",
] as const;

export type HazardKind = (typeof HAZARD_KINDS)[number];
