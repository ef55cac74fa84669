import type { Role } from "../../../gateway/src/http/console/contract.ts";

export const ROLES: readonly { readonly role: Role; readonly label: string; readonly about: string }[] = [
  { role: "member", label: "Member", about: "uses the playground and sees their own usage and library" },
  { role: "admin", label: "Admin", about: "also manages keys, members, models, settings and top-ups" },
  { role: "owner", label: "Owner", about: "can do everything" },
];

export function roleLabel(role: Role): string {
  return ROLES.find((one) => one.role === role)?.label ?? role;
}

/** As in "is now an admin". */
export function oneOfRole(role: Role): string {
  return `${role === "member" ? "a" : "an"} ${roleLabel(role).toLowerCase()}`;
}

/** Admins rank below owners: they can neither appoint nor change one. */
export function rolesFor(own: Role): typeof ROLES {
  return own === "owner" ? ROLES : ROLES.filter(({ role }) => role !== "owner");
}

export function mayTouch(own: Role, other: Role): boolean {
  return own === "owner" || (own === "admin" && other !== "owner");
}
