import { newId } from "../../kit/index.ts";
import { numberedSlug, slugFromName } from "./slug.ts";
import { insertOrganization, type OrganizationRecord, type Queryable } from "./store.ts";

/** So many organizations of one name get a number; the next one a random end. */
const MAX_NUMBERED = 20;

/** Under a slug derived from the name that nobody has yet, and that is not kept for somebody else. */
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
