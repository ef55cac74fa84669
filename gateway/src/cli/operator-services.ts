import type { Billing } from "../billing/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Database } from "../db/index.ts";
import type { Identity, OneTimeLink, OrganizationRecord } from "../identity/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { failed } from "./cli-error.ts";
import type { FlagSpec } from "./flag.ts";
import { commandText } from "./wording.ts";

/** The services that operator commands need. */
export type OperatorServices = {
  readonly db: Database;
  readonly organizations: Identity["organizations"];
  readonly keys: Identity["keys"];
  readonly members: Pick<Identity["members"], "add" | "link" | "list">;
  readonly ledger: Pick<Ledger, "account" | "grant" | "adjust">;
  readonly billing: Pick<Billing, "startPlan" | "paidSubscription">;
  readonly catalog: Catalog;
  /** The URL at which a person redeems a one-time link. */
  linkUrl(link: OneTimeLink): string;
  close(): Promise<void>;
};

/** `--org` accepts an id or a slug everywhere. */
export const ORG_FLAG: FlagSpec = { name: "org", value: "ORG", about: "id or slug", required: true };

export async function findOrganization(
  services: Pick<OperatorServices, "organizations">,
  idOrSlug: string,
): Promise<OrganizationRecord> {
  const organization = await services.organizations.find(idOrSlug);
  if (organization) return organization;
  throw failed(
    `There is no organization ${JSON.stringify(idOrSlug)}: ${commandText("org list")} shows them all.`,
  );
}
