import type { Database } from "../db/index.ts";
import { loadMarkedNodes } from "./lease-store.ts";
import type { NodeMarks } from "./node-marks.ts";

/** What other nodes that serve now have otherwise: the hosts of another secret, and the other places of files. */
export async function findDifferences(
  db: Database,
  own: NodeMarks,
  /** Its own process, of one that serves. */
  processId: string | null,
): Promise<{ readonly secretHosts: readonly string[]; readonly objectsPlaces: readonly string[] }> {
  const nodes = await loadMarkedNodes(db, processId);
  const hosts = nodes.filter(({ secretMark }) => secretMark !== own.secretMark).map(({ host }) => host);
  const places = nodes.map(({ objectsPlace }) => objectsPlace).filter((place) => place !== own.objectsPlace);
  return { secretHosts: [...new Set(hosts)], objectsPlaces: [...new Set(places)] };
}
