import { objectsPlace } from "../../assets/index.ts";
import { type Config, findSecret } from "../../config/index.ts";
import type { Database } from "../../db/index.ts";
import { findDifferences, nodeMarks } from "../../ledger/index.ts";
import { type Check, warning } from "./check.ts";

/** Whether the nodes that serve now have what these settings say. Nothing is said where they do, or none serves. */
export async function checkNodes(db: Database, config: Config): Promise<Check[]> {
  const secret = findSecret(config);
  if (secret === null) return [];
  const own = nodeMarks({ secret, objectsPlace: objectsPlace(config.objects) });
  const { secretHosts, objectsPlaces } = await findDifferences(db, own, null);
  const checks: Check[] = [];
  if (secretHosts.length > 0) {
    const found = `a gateway with another secret serves on this database (${secretHosts.join(", ")}): sessions and cursors of one are none to the other`;
    checks.push(warning("nodes", found, "Set the same BURSAR_SECRET on all nodes, and restart them."));
  }
  if (objectsPlaces.length > 0) {
    const found = `a gateway on this database keeps files elsewhere (${objectsPlaces.join("; ")}): what one makes the other does not find`;
    checks.push(
      warning("nodes", found, "Set the same BURSAR_S3_BUCKET on all nodes; a folder is for one node alone."),
    );
  }
  return checks;
}
