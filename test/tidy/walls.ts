import type { Import } from "./imports.ts";

/** Imports of our own code, as pairs of paths. */
type Edge = Pick<Import, "from" | "to">;

/**
 * Folders of the same folder that import each other, directly or through what lies in them; each pair is named by one
 * import of each way.
 */
export function bothWays(edges: readonly Edge[]): readonly string[] {
  const ways = new Map<string, Edge>();
  for (const edge of edges) {
    const pair = siblingsOf(edge);
    if (pair !== null && !ways.has(pair.join(" "))) ways.set(pair.join(" "), edge);
  }
  return [...ways].flatMap(([pair, there]) => {
    const [left = "", right = ""] = pair.split(" ");
    const back = ways.get(`${right} ${left}`);
    if (back === undefined || left > right) return [];
    return [`${left} and ${right}: ${there.from} → ${there.to}, ${back.from} → ${back.to}`];
  });
}

/** The folders in which two paths of one package part; null if one of them lies in a folder around the other. */
function siblingsOf({ from, to }: Edge): readonly [string, string] | null {
  const [left, right] = [from.split("/"), to.split("/")];
  const at = left.findIndex((name, place) => name !== right[place]);
  if (at < 1 || at >= left.length - 1 || at >= right.length - 1) return null;
  return [left.slice(0, at + 1).join("/"), right.slice(0, at + 1).join("/")];
}

/** Imports that leave one of our packages for another, except those that `isAllowed`. */
export function throughWalls<Each extends Edge>(
  edges: readonly Each[],
  isAllowed: (edge: Edge) => boolean,
): readonly Each[] {
  const packageOf = (path: string) => path.split("/", 1)[0];
  return edges.filter((edge) => packageOf(edge.from) !== packageOf(edge.to) && !isAllowed(edge));
}
