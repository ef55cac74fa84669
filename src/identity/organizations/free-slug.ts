import { newId } from "../../kit/index.ts";
import { numberedSlug, slugFromName } from "./slug.ts";
import { insertOrganization, type OrganizationRecord, type Queryable } from "./store.ts";

/** So many organizations of one name get a number; the next one a random end. */
const MAX_NUMBERED = 20;

/** Under a slug derived from the name that nobody has yet. */
export async function insertUnderFreeSlug(
  db: Queryable,
  input: { name: string; plan: string },
): Promise<OrganizationRecord> {
  const slug = slugFromName(input.name);
  for (let attempt = 1; attempt <= MAX_NUMBERED; attempt++) {
    const organization = { id: newId(), ...input, slug: numberedSlug(slug, attempt) };
    const created = await insertOrganization(db, organization);
    if (created) return created;
  }
  const id = newId();
  const created = await insertOrganization(db, { id, ...input, slug: `${slug}-${id.slice(-6)}` });
  return created ?? Promise.reject(new Error(`no free slug for ${slug}`));
}
