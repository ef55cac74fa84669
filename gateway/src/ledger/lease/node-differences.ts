import type { Database } from "../../db/index.ts";
import { loadMarkedNodes } from "./lease-store.ts";
import type { NodeMarks } from "./node-marks.ts";

/**
 * A setting in which another serving node differs although all must agree; reported by the log and by the doctor
 * command.
 */
type NodeDifference = {
  readonly event: "secret_differs" | "objects_differ" | "catalog_differs";
  readonly found: string;
  readonly repair: string;
};

export async function findDifferences(
  db: Database,
  own: NodeMarks,
  /** The calling process if it serves, else null. */
  processId: string | null,
): Promise<NodeDifference[]> {
  const nodes = await loadMarkedNodes(db, processId);
  const hostsWhere = (isOther: (node: NodeMarks) => boolean) => nodes.filter(isOther).map(({ host }) => host);
  const hosts = hostsWhere(({ secretMark }) => secretMark !== own.secretMark);
  const pricers = hostsWhere(
    ({ catalogMark: mark }) => mark !== null && own.catalogMark !== null && mark !== own.catalogMark,
  );
  const places = nodes
    .filter(({ objectsPlace }) => objectsPlace !== own.objectsPlace)
    .map(({ host, objectsPlace }) => `${host}: ${objectsPlace}`);
  const differences: NodeDifference[] = [];
  if (hosts.length > 0) {
    differences.push({
      event: "secret_differs",
      found: `a gateway with another secret serves on this database (${listOf(hosts)}): sessions and cursors of one are not valid on the other`,
      repair: "Set the same BURSAR_SECRET on all nodes, and restart them.",
    });
  }
  if (places.length > 0) {
    differences.push({
      event: "objects_differ",
      found: `a gateway on this database keeps files elsewhere (${listOf(places)}; here: ${own.objectsPlace}): the other cannot find the files that one makes`,
      repair: "Set the same BURSAR_S3_BUCKET on all nodes, or a BURSAR_OBJECTS_DIR that all of them share.",
    });
  }
  if (pricers.length > 0) {
    differences.push({
      event: "catalog_differs",
      found: `a gateway with other models, prices, plans or limits serves on this database (${listOf(pricers)}): the same call is charged differently on each`,
      repair: "Use one version, one bursar.yaml and the same provider keys on all nodes, and restart them.",
    });
  }
  return differences;
}

function listOf(values: readonly string[]): string {
  return [...new Set(values)].join("; ");
}
