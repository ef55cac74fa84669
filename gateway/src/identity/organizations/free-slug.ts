import { newId } from "../../kit/index.ts";
import { numberedSlug, slugFromName } from "./slug.ts";
import { insertOrganization, type OrganizationRecord, type Queryable } from "./store.ts";

/** Up to this many organizations of the same name get a number; further ones get a random suffix. */
const MAX_NUMBERED = 20;

/** Inserts the organization under a slug derived from its name that is neither taken nor reserved. */
export async function insertUnderFreeSlug(
  db: Queryable,
  input: { name: string; plan: string },
  keptSlugs: ReadonlySet<string> = new Set(),
): Promise<OrganizationRecord> {
  const slug = slugFromName(input.name);
  for (let attempt = 1; attempt <= MAX_NUMBERED; attempt++) {
    const numbered = numberedSlug(slug, attempt);
    if (keptSlugs.has(numbered)) continue;
    const created = await insertOrganization(db, { id: newId(), ...input, slug: numbered });
    if (created) return created;
  }
  const id = newId();
  const created = await insertOrganization(db, { id, ...input, slug: `${slug}-${id.slice(-6)}` });
  return created ?? Promise.reject(new Error(`no free slug for ${slug}`));
}
