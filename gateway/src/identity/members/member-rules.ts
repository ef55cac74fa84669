import { mayAdminister, type Role, type Standing } from "../role.ts";

/** A requested change to an organization's members. */
export type MemberChange =
  | { readonly kind: "add"; readonly role: Role }
  | { readonly kind: "set_role"; readonly from: Role; readonly to: Role }
  | { readonly kind: "remove"; readonly from: Role; readonly isSelf: boolean };

type MemberVerdict = "ok" | "forbidden" | "last_owner";

/**
 * Owners may do everything, admins everything except what concerns owners, members may only leave. The last owner
 * stays, whoever asks: nobody could manage an organization without one.
 */
export function judgeMemberChange(input: {
  standing: Standing;
  change: MemberChange;
  otherOwners: number;
}): MemberVerdict {
  const { standing, change, otherOwners } = input;
  if (!isPermitted(standing, change)) return "forbidden";
  const losesOwner = change.kind !== "add" && change.from === "owner" && !keepsOwner(change);
  return losesOwner && otherOwners === 0 ? "last_owner" : "ok";
}

function isPermitted(standing: Standing, change: MemberChange): boolean {
  if (change.kind === "remove" && change.isSelf) return standing !== "stranger";
  if (!mayAdminister(standing)) return false;
  return standing !== "admin" || !touchesOwner(change);
}

function touchesOwner(change: MemberChange): boolean {
  switch (change.kind) {
    case "add":
      return change.role === "owner";
    case "set_role":
      return change.from === "owner" || change.to === "owner";
    case "remove":
      return change.from === "owner";
  }
}

function keepsOwner(change: MemberChange): boolean {
  return change.kind === "set_role" && change.to === "owner";
}
