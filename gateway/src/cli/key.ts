import type { z } from "zod";
import { SCOPES } from "../identity/index.ts";
import type { KEY } from "../operations/index.ts";
import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import type { FlagSpec } from "./flag.ts";
import { refuseTwoEnds } from "./flag-values.ts";
import { commandFor, ORG_FLAG, type Told } from "./operation-command.ts";
import { commandText, momentText } from "./wording.ts";

type Key = z.output<typeof KEY>;

const ID_FLAG: Partial<FlagSpec> = {
  name: "key",
  value: "KEY_ID",
  about: "the key's id; the flag's name may be left out",
  positional: true,
};
const OPTIONAL_ORG: FlagSpec = {
  ...ORG_FLAG,
  about: "only if the key belongs to this organization",
  required: false,
};
const ofKey = {
  org: OPTIONAL_ORG,
  orgOf: async ({ identity }: Told["services"], flags: Told["flags"]) =>
    (await identity.keys.find(flags.required("key")))?.organizationId,
};
const ENDS = { expiresIn: { value: "TIME" }, expiresAt: { value: "MOMENT" } };

export const keyCommands: readonly Command[] = [
  commandFor("key.create", {
    org: ORG_FLAG,
    flags: ENDS,
    check: refuseTwoEnds,
    text(minted, { organization, paint }) {
      const told = `A key for ${organization.name}, shown only once:\n\n  ${paint("bold", minted.key)}\n\n${keyFields(minted)}`;
      if (organization.active) return told;
      const way = commandText(`org update --org ${organization.slug} --active true`);
      return `${told}\n\n${organization.name} is inactive, so every call is refused: ${way} makes it active again.`;
    },
  }),
  commandFor("key.list", {
    org: ORG_FLAG,
    text({ keys }, { organization: { name, slug }, paint }) {
      const heading = ["NAME", "ENDS IN", "SCOPES", "REQ/MIN", "IN FLIGHT", "EXPIRES", "LAST USED", "ID"];
      const rows = keys.map((key) => [
        key.name,
        key.lastFour,
        scopesText(key),
        limitText(key.requestsPerMinute),
        limitText(key.inFlight),
        expiryText(key),
        key.lastUsedAt ? momentText(key.lastUsedAt) : "never",
        key.id,
      ]);
      const way = commandText(`key create --org ${slug} --name NAME`);
      return alignTable(paint, heading, rows, `${name} has no key yet: ${way} creates one.`);
    },
  }),
  commandFor("key.rotate", {
    ...ofKey,
    flags: { id: ID_FLAG, grace: { value: "TIME" } },
    text: (minted, { paint }) =>
      `The new secret of ${minted.name}, shown only once:\n\n  ${paint("bold", minted.key)}\n\n${keyFields(minted)}`,
  }),
  commandFor("key.revoke", {
    ...ofKey,
    flags: { id: ID_FLAG },
    text: ({ name, lastFour }) => `The key ${name} (…${lastFour}) no longer works.`,
  }),
];

function keyFields(key: Key): string {
  return alignFields([
    ["id", key.id],
    ["name", key.name],
    ["scopes", scopesText(key)],
    ["a minute", limitText(key.requestsPerMinute)],
    ["in flight", limitText(key.inFlight)],
    ["expires", expiryText(key)],
  ]);
}

function scopesText(key: Key): string {
  return key.scopes.length === SCOPES.length ? "all" : key.scopes.join(",");
}

/** A key without its own limit has that of its organization. */
function limitText(limit: number | null): string {
  return limit === null ? "plan's" : String(limit);
}

function expiryText(key: Key): string {
  if (key.revokedAt) return "revoked";
  return key.expiresAt ? momentText(key.expiresAt) : "never";
}
