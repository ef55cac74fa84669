import { type ApiKey, type MintedKey, OPERATOR, type OrganizationRecord, SCOPES } from "../identity/index.ts";
import { failed, refusedValue } from "./cli-error.ts";
import { withServices } from "./cli-host.ts";
import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import type { FlagSpec, ParsedFlags } from "./flag.ts";
import { parseDurationMs, parseExpiry, parseWhole } from "./flag-values.ts";
import { findOrganization, type OperatorServices, ORG_FLAG } from "./operator-services.ts";
import { commandText, momentText } from "./wording.ts";

const KEY_FLAG: FlagSpec = {
  name: "key",
  value: "KEY_ID",
  about: "the key's id; the flag's name may be left out",
  required: true,
  positional: true,
};
const OPTIONAL_ORG_FLAG: FlagSpec = {
  ...ORG_FLAG,
  about: "only if the key belongs to this organization",
  required: false,
};

const createCommand: Command = {
  path: ["key", "create"],
  about: "Create an API key. It is shown only once.",
  flags: [
    ORG_FLAG,
    { name: "name", value: "NAME", about: "what it is for", required: true },
    { name: "scopes", value: "A,B", about: `some of ${SCOPES.join(", ")} (default: all)` },
    { name: "expires-in", value: "TIME", about: "such as 30d or 12h (default: never)" },
    { name: "expires-at", value: "MOMENT", about: "such as 2027-01-31T12:00:00Z" },
    {
      name: "requests-per-minute",
      value: "N",
      about: "requests per minute for this key, within the plan's limit (default: the plan's)",
    },
    {
      name: "in-flight",
      value: "N",
      about: "concurrent calls for this key, within the plan's limit (default: the plan's)",
    },
  ],
  run: ({ flags, host, paint }) => {
    const expiry = parseExpiry(flags);
    const requestsPerMinute = limitOf(flags, "requests-per-minute");
    const inFlight = limitOf(flags, "in-flight");
    return withServices(host, async (services) => {
      const organization = await findOrganization(services, flags.required("org"));
      const minted = await services.keys.mint({
        organizationId: organization.id,
        name: flags.required("name"),
        scopes:
          flags
            .text("scopes")
            ?.split(",")
            .map((scope) => scope.trim()) ?? SCOPES,
        ...expiry,
        requestsPerMinute,
        inFlight,
        actor: OPERATOR,
      });
      if (minted.outcome === "invalid") throw refusedValue(minted);
      if (minted.outcome === "too_many_keys") {
        throw failed(`${organization.name} has reached its limit of keys: revoke one first.`);
      }
      if (minted.outcome !== "ok") throw failed("The organization no longer exists.");
      const told = `A key for ${organization.name}, shown only once:\n\n  ${paint("bold", minted.secret)}\n\n${keyFields(minted.key)}`;
      return {
        json: mintedJson(minted),
        text: organization.active ? told : `${told}\n\n${inactiveText(organization)}`,
      };
    });
  },
};

const listCommand: Command = {
  path: ["key", "list"],
  about: "List an organization's API keys.",
  flags: [ORG_FLAG],
  run: ({ flags, host, paint }) =>
    withServices(host, async (services) => {
      const organization = await findOrganization(services, flags.required("org"));
      const keys = await services.keys.list(organization.id);
      const heading = ["NAME", "ENDS IN", "SCOPES", "REQ/MIN", "IN FLIGHT", "EXPIRES", "LAST USED", "ID"];
      const rows = keys.map((key) => [
        key.name,
        key.lastFour,
        scopesText(key),
        limitText(key.limits.requestsPerMinute),
        limitText(key.limits.inFlight),
        expiryText(key),
        key.lastUsedAt ? momentText(key.lastUsedAt) : "never",
        key.id,
      ]);
      return {
        json: { keys: keys.map(keyJson), count: keys.length },
        text: alignTable(
          paint,
          heading,
          rows,
          `${organization.name} has no key yet: ${commandText(`key create --org ${organization.slug} --name NAME`)} creates one.`,
        ),
      };
    }),
};

const rotateCommand: Command = {
  path: ["key", "rotate"],
  about: "Give a key a new secret; its id stays.",
  notes: "The old secret keeps working for the grace period, so that you have time to update callers.",
  flags: [
    KEY_FLAG,
    OPTIONAL_ORG_FLAG,
    {
      name: "grace",
      value: "TIME",
      about: "how long the old secret still works, such as 12h or 0h (default: 24h)",
    },
  ],
  run: ({ flags, host, paint }) => {
    const graceText = flags.text("grace");
    const graceMs = graceText === undefined ? undefined : parseDurationMs("--grace", graceText);
    return withServices(host, async (services) => {
      const key = await findKey(services, flags);
      const rotated = await services.keys.rotate({ ...referenceTo(key), graceMs });
      if (rotated.outcome === "invalid") throw refusedValue(rotated);
      if (rotated.outcome === "revoked" || rotated.outcome === "expired") {
        throw failed(`The key ${key.name} is ${rotated.outcome}: create a new one.`);
      }
      if (rotated.outcome !== "ok") throw failed("The key no longer exists.");
      return {
        json: mintedJson(rotated),
        text: `The new secret of ${rotated.key.name}, shown only once:\n\n  ${paint("bold", rotated.secret)}\n\n${keyFields(rotated.key)}`,
      };
    });
  },
};

const revokeCommand: Command = {
  path: ["key", "revoke"],
  about: "Revoke a key at once, everywhere.",
  notes: "Calls in progress finish.",
  flags: [KEY_FLAG, OPTIONAL_ORG_FLAG],
  run: ({ flags, host }) =>
    withServices(host, async (services) => {
      const key = await findKey(services, flags);
      const revoked = await services.keys.revoke(referenceTo(key));
      if (revoked.outcome !== "ok") throw failed("The key no longer exists.");
      return {
        json: keyJson(revoked.key),
        text: `The key ${revoked.key.name} (…${revoked.key.lastFour}) no longer works.`,
      };
    }),
};

export const keyCommands: readonly Command[] = [createCommand, listCommand, rotateCommand, revokeCommand];

async function findKey(services: OperatorServices, flags: ParsedFlags): Promise<ApiKey> {
  const key = await services.keys.find(flags.required("key"));
  const orgText = flags.text("org");
  const organization = orgText === undefined ? undefined : await findOrganization(services, orgText);
  if (key && (organization === undefined || organization.id === key.organizationId)) return key;
  throw failed(`There is no such key: ${commandText("key list --org ORG")} shows the ids.`);
}

function referenceTo(key: ApiKey) {
  return { organizationId: key.organizationId, keyId: key.id, actor: OPERATOR };
}

const LIMIT = { min: 1, max: 1_000_000 };

function limitOf(flags: ParsedFlags, name: string): number | null {
  const text = flags.text(name);
  return text === undefined ? null : parseWhole(`--${name}`, text, LIMIT);
}

function inactiveText({ name, slug }: OrganizationRecord): string {
  return `${name} is inactive, so every call is refused: ${commandText(`org update --org ${slug} --active true`)} makes it active again.`;
}

function keyJson(key: ApiKey): Record<string, unknown> {
  return {
    id: key.id,
    org_id: key.organizationId,
    name: key.name,
    last_four: key.lastFour,
    scopes: key.scopes,
    requests_per_minute: key.limits.requestsPerMinute,
    in_flight: key.limits.inFlight,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}

function mintedJson(minted: MintedKey): Record<string, unknown> {
  const { id, ...rest } = keyJson(minted.key);
  return { id, key: minted.secret, ...rest };
}

function keyFields(key: ApiKey): string {
  return alignFields([
    ["id", key.id],
    ["name", key.name],
    ["scopes", scopesText(key)],
    ["a minute", limitText(key.limits.requestsPerMinute)],
    ["in flight", limitText(key.limits.inFlight)],
    ["expires", expiryText(key)],
  ]);
}

function scopesText(key: ApiKey): string {
  return key.scopes.length === SCOPES.length ? "all" : key.scopes.join(",");
}

/** A key without its own limit has that of its organization. */
function limitText(limit: number | null): string {
  return limit === null ? "plan's" : String(limit);
}

function expiryText(key: ApiKey): string {
  if (key.revokedAt) return "revoked";
  return key.expiresAt ? momentText(key.expiresAt) : "never";
}
