import { expect, test } from "bun:test";
import fc from "fast-check";
import { ROLES, type Role, type Standing } from "../role.ts";
import { judgeMemberChange, type MemberChange } from "./member-rules.ts";

const role = fc.constantFrom<Role>(...ROLES);
const standing = fc.constantFrom<Standing>("operator", ...ROLES, "stranger");
const change: fc.Arbitrary<MemberChange> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), role }),
  fc.record({ kind: fc.constant("set_role" as const), from: role, to: role }),
  fc.record({ kind: fc.constant("remove" as const), from: role, isSelf: fc.boolean() }),
);
const input = fc.record({ standing, change, otherOwners: fc.nat(3) });

function touchesOwner(one: MemberChange): boolean {
  if (one.kind === "add") return one.role === "owner";
  return one.from === "owner" || (one.kind === "set_role" && one.to === "owner");
}

test("the last owner is never lost, whoever requests it", () => {
  fc.assert(
    fc.property(input, (one) => {
      const { change } = one;
      const losesOwner =
        change.kind !== "add" &&
        change.from === "owner" &&
        !(change.kind === "set_role" && change.to === "owner");
      if (losesOwner && one.otherOwners === 0) expect(judgeMemberChange(one)).not.toBe("ok");
    }),
  );
});

test("an admin can neither add, change nor remove an owner", () => {
  fc.assert(
    fc.property(input, (one) => {
      const isLeaving = one.change.kind === "remove" && one.change.isSelf;
      if (touchesOwner(one.change) && !isLeaving)
        expect(judgeMemberChange({ ...one, standing: "admin" })).toBe("forbidden");
    }),
  );
});

test("members and strangers can change nothing, except that a member may leave", () => {
  fc.assert(
    fc.property(input, fc.constantFrom<Standing>("member", "stranger"), (one, standing) => {
      const mayLeave = standing === "member" && one.change.kind === "remove" && one.change.isSelf;
      if (!mayLeave) expect(judgeMemberChange({ ...one, standing })).toBe("forbidden");
    }),
  );
});

test("operators and owners may make any change while there is another owner", () => {
  fc.assert(
    fc.property(input, fc.constantFrom<Standing>("operator", "owner"), (one, standing) => {
      expect(judgeMemberChange({ ...one, standing, otherOwners: 1 })).toBe("ok");
    }),
  );
});

test("admins may make any change that concerns no owner", () => {
  fc.assert(
    fc.property(input, (one) => {
      if (!touchesOwner(one.change)) expect(judgeMemberChange({ ...one, standing: "admin" })).toBe("ok");
    }),
  );
});
