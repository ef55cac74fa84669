import { nameOfObjectsPlace } from "../../assets/index.ts";
import { type Catalog, catalogMark } from "../../catalog/index.ts";
import { type Config, findSecret } from "../../config/index.ts";
import type { Database } from "../../db/index.ts";
import { findDifferences, nodeMarks } from "../../ledger/index.ts";
import { type Check, warning } from "./check.ts";

/** Whether the nodes that serve now have the same settings as here. Empty if they do, or none serves. */
export async function checkNodes(db: Database, config: Config, catalog: Catalog | null): Promise<Check[]> {
  const secret = findSecret(config);
  if (secret === null) return [];
  const own = nodeMarks({
    secret,
    objectsPlace: nameOfObjectsPlace(config.objects),
    catalogMark: catalog && catalogMark(catalog, config.limits),
  });
  const differences = await findDifferences(db, own, null);
  return differences.map(({ found, mend }) => warning("nodes", found, mend));
}
