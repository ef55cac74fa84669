import { askedFor, type LockedPackage, type LockFile, neededBy, resolveDependency } from "./lock-file.ts";

type TreeNode = { readonly locked: LockedPackage; readonly needs: readonly LockedPackage[] };

/** Everything that a production installation may contain, on any platform, by place. */
export function runtimeTree(lock: LockFile): readonly TreeNode[] {
  const found = new Map<string, TreeNode>();
  const open = directDependencies(lock);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const key = next.place.join("/");
    if (found.has(key)) continue;
    const needs = neededBy(next.manifest).map((name) => resolved(lock, next.place, name));
    found.set(key, { locked: next, needs });
    open.push(...needs);
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, node]) => node);
}

export function directDependencies(lock: LockFile): LockedPackage[] {
  const names = { ...askedFor(lock.own, "dependencies"), ...askedFor(lock.own, "optionalDependencies") };
  return Object.keys(names).map((name) => resolved(lock, [], name));
}

function resolved(lock: LockFile, from: readonly string[], name: string): LockedPackage {
  const found = resolveDependency(lock, from, name);
  if (found === undefined)
    throw new Error(`bun.lock lacks ${name}, which ${from.join("/") || "the project"} needs`);
  return found;
}
