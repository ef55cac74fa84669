/** A person's role in an organization. Owner: everything. Admin: everything except owners. Member: their own work. */
export const ROLES = ["owner", "admin", "member"] as const;

export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/**
 * Who makes a change: an operator, a signed-in person, or a management key of the organization, which may do what its
 * owners may.
 */
export type Actor =
  | { readonly kind: "operator" }
  | { readonly kind: "key" }
  | { readonly kind: "person"; readonly userId: string };

export const OPERATOR: Actor = { kind: "operator" };

/** Rank in one organization: the operator ranks above its owners, a stranger below its members. */
export type Standing = "operator" | Role | "stranger";

export function mayAdminister(standing: Standing): boolean {
  return standing === "operator" || standing === "owner" || standing === "admin";
}
