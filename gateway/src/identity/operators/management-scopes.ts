/** What a management key may do: read or write one area, or everything of an organization. */
const MANAGEMENT_AREAS = [
  "organization",
  "keys",
  "members",
  "usage",
  "billing",
  "library",
  "settings",
  "audit",
  "webhooks",
] as const;
export type ManagementArea = (typeof MANAGEMENT_AREAS)[number];

/** `system` is for operators' keys: what concerns the whole installation. `all` does not include it. */
type ManagementScope = `${ManagementArea}:${"read" | "write"}` | "all" | "system";
export const MANAGEMENT_SCOPES: readonly ManagementScope[] = [
  ...MANAGEMENT_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  "all",
  "system",
];

/** Writing includes reading. */
export function covers(held: readonly string[], wanted: ManagementScope): boolean {
  if (held.includes(wanted)) return true;
  return wanted !== "system" && (held.includes("all") || held.includes(wanted.replace(/:read$/, ":write")));
}
