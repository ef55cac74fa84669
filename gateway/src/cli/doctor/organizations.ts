import type { Database } from "../../db/index.ts";
import { loadUnknownOrganizations } from "../store.ts";
import { firstOf } from "../wording.ts";
import { type Check, warning } from "./check.ts";

const MAX_NAMED = 10;

/** A model reserved for a nonexistent organization is a typo, or will belong to whoever takes that slug first. */
export async function checkOrganizations(db: Database, named: ReadonlySet<string>): Promise<Check[]> {
  if (named.size === 0) return [];
  const unknown = await loadUnknownOrganizations(db, [...named]);
  if (unknown.length === 0) return [];
  const finding = `models are visible to organizations that do not exist: ${firstOf(unknown, MAX_NAMED)}`;
  const fix = "Create them (`bursar org create`) or correct `visibility.organizations`; prefer ids to slugs.";
  return [warning("organizations", finding, fix)];
}
