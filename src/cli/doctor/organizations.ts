import type { Database } from "../../db/index.ts";
import { loadUnknownOrganizations } from "../store.ts";
import { type Check, warning } from "./check.ts";

/** More would fill the terminal; what to do is the same for all of them. */
const MAX_NAMED = 10;

/** A model that is kept for nobody is a typing error, or is waiting for whoever comes first under that slug. */
export async function checkOrganizations(db: Database, named: ReadonlySet<string>): Promise<Check[]> {
  if (named.size === 0) return [];
  const unknown = await loadUnknownOrganizations(db, [...named]);
  if (unknown.length === 0) return [];
  const listed = unknown.slice(0, MAX_NAMED).join(", ") + (unknown.length > MAX_NAMED ? ", …" : "");
  const finding = `models are visible to organizations that do not exist: ${listed}`;
  const fix = "Create them (`bursar org create`) or correct `visibility.organizations`; prefer ids to slugs.";
  return [warning("organizations", finding, fix)];
}
