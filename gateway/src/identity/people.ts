import type { Database } from "../db/index.ts";
import { newId, parseUuid } from "../kit/index.ts";
import { parseDisplayText } from "./display-text.ts";
import { parseEmail } from "./email.ts";
import { insertMember, loadPersonNames, loadUserByEmail, savePersonName, saveUser } from "./members/store.ts";
import { insertUnderFreeSlug } from "./organizations/free-slug.ts";
import { MAX_NAME_CHARS } from "./organizations/organization-change.ts";
import type { OrganizationRecord, Queryable } from "./organizations/store.ts";
import { parsePersonName } from "./person-name.ts";
import type { Invalid } from "./refusal.ts";
import { transact } from "./transaction.ts";

type NewAccount = { email: string; name: string; organization: string };

type SignUp = NewAccount & {
  plan: string;
  /** True if the person came by a link that was sent to the address. */
  isProved?: boolean;
  /** Reserved slugs: the catalog grants models to them by name, so nobody may obtain one by choosing a name. */
  keptSlugs: ReadonlySet<string>;
};

type SignedUp =
  | { readonly outcome: "ok"; readonly userId: string; readonly organization: OrganizationRecord }
  | { readonly outcome: "has_account" }
  | Invalid;

/** People's accounts, independent of organizations. */
export type People = {
  /** Why a sign-up would be refused; creates nothing. */
  checkSignUp(input: NewAccount): { outcome: "ok"; email: string } | Invalid;
  /** Creates a person and the organization they own, both or neither; in `client`'s transaction if one is given. */
  signUp(input: SignUp, client?: Queryable): Promise<SignedUp>;
  hasAccount(email: string): Promise<boolean>;
  /** By id; unknown people are left out. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Why a name would be refused. */
  checkName(name: string): { outcome: "ok" } | Invalid;
  rename(input: { userId: string; name: string }): Promise<{ outcome: "ok" | "not_found" } | Invalid>;
};

export function createPeople({ db }: { db: Database }): People {
  return {
    checkSignUp(input) {
      const parsed = parseSignUp(input);
      return parsed.outcome === "invalid" ? parsed : { outcome: "ok", email: parsed.email };
    },
    async signUp(input, outer) {
      const parsed = parseSignUp(input);
      if (parsed.outcome === "invalid") return parsed;
      const { email, name, organizationName } = parsed;
      return transact(db, outer, async (client): Promise<SignedUp> => {
        const { user, created } = await saveUser(client, {
          id: newId(),
          email,
          name,
          isProved: input.isProved,
        });
        if (!created) return { outcome: "has_account" };
        const wanted = { name: organizationName, plan: input.plan };
        const organization = await insertUnderFreeSlug(client, wanted, input.keptSlugs);
        await insertMember(client, { organizationId: organization.id, userId: user.id, role: "owner" });
        return { outcome: "ok", userId: user.id, organization };
      });
    },
    checkName: parsePersonName,
    async hasAccount(emailText) {
      const parsed = parseEmail(emailText);
      if (parsed.outcome === "invalid") return false;
      return (await loadUserByEmail(db.pool, parsed.email)) !== undefined;
    },
    namesOf: (userIds) => loadPersonNames(db.pool, userIds),
    async rename({ userId: userIdText, name: nameText }) {
      const name = parsePersonName(nameText);
      if (name.outcome === "invalid") return name;
      const userId = parseUuid(userIdText);
      if (userId === undefined) return { outcome: "not_found" };
      return { outcome: (await savePersonName(db.pool, userId, name.text)) ? "ok" : "not_found" };
    },
  };
}

type ParsedSignUp = { outcome: "ok"; email: string; name: string; organizationName: string };

function parseSignUp(input: NewAccount): ParsedSignUp | Invalid {
  const email = parseEmail(input.email);
  if (email.outcome === "invalid") return email;
  const name = parsePersonName(input.name);
  if (name.outcome === "invalid") return name;
  const organization = parseDisplayText({
    field: "organization",
    text: input.organization,
    maxChars: MAX_NAME_CHARS,
  });
  if (organization.outcome === "invalid") return organization;
  return { outcome: "ok", email: email.email, name: name.text, organizationName: organization.text };
}
