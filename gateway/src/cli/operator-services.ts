import type { OrganizationRecord } from "../identity/index.ts";
import type { OperationServices } from "../operations/index.ts";
import { failed } from "./cli-error.ts";
import type { FlagSpec } from "./flag.ts";
import { commandText } from "./wording.ts";

/** The services that operator commands need. */
export type OperatorServices = OperationServices & { close(): Promise<void> };

/** `--org` accepts an id or a slug everywhere. */
export const ORG_FLAG: FlagSpec = { name: "org", value: "ORG", about: "id or slug", required: true };

export async function findOrganization(
  { identity }: Pick<OperatorServices, "identity">,
  idOrSlug: string,
): Promise<OrganizationRecord> {
  const organization = await identity.organizations.find(idOrSlug);
  if (organization) return organization;
  throw failed(
    `There is no organization ${JSON.stringify(idOrSlug)}: ${commandText("org list")} shows them all.`,
  );
}
