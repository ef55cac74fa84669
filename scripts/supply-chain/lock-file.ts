import { readFileSync } from "node:fs";
import { join } from "node:path";

type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalPeers?: readonly string[];
  readonly hasInstallScript?: boolean;
};

/** One line of `bun.lock`. */
export type LockedPackage = {
  /** Where it is installed, as package names: `["a", "b"]` is the b in a's own node_modules. */
  readonly place: readonly string[];
  readonly name: string;
  readonly version: string;
  /** The URL it came from; empty for the default registry. */
  readonly origin: string;
  readonly manifest: Manifest;
  readonly integrity: string;
};

export type LockFile = {
  /** Where it lies, and node_modules beside it. */
  readonly folder: string;
  /** Our own packages, by their folder: the root's is empty. */
  readonly own: Readonly<Record<string, Manifest>>;
  /** Without a list, the installer would use its own, of hundreds of packages. */
  readonly trusted: readonly string[] | undefined;
  readonly packages: ReadonlyMap<string, LockedPackage>;
};

/** The gateway's, and that of the sandbox, which is installed apart. */
export function readLockFiles(root: string): readonly LockFile[] {
  return [root, join(root, "sandbox")].map(readLockFile);
}

function readLockFile(folder: string): LockFile {
  // JSON except for trailing commas.
  const text = readFileSync(join(folder, "bun.lock"), "utf8").replace(/,(\s*[}\]])/g, "$1");
  const lock = JSON.parse(text) as {
    workspaces: Record<string, Manifest>;
    trustedDependencies?: string[];
    packages: Record<string, [string, string, Manifest, string]>;
  };
  const packages = Object.entries(lock.packages)
    .filter(([, [id]]) => !id.includes("@workspace:"))
    .map(([key, [id, origin, manifest, integrity]]) => {
      const at = id.lastIndexOf("@");
      const [name, version] = [id.slice(0, at), id.slice(at + 1)];
      return [key, { place: namesOf(key), name, version, origin, manifest, integrity }] as const;
    });
  return {
    folder,
    own: lock.workspaces,
    trusted: lock.trustedDependencies,
    packages: new Map(packages),
  };
}

/** The package that a dependency resolves to: the nearest of that name, as the runtime looks it up. */
export function resolveDependency(
  lock: LockFile,
  from: readonly string[],
  name: string,
): LockedPackage | undefined {
  for (let depth = from.length; depth >= 0; depth -= 1) {
    const found = lock.packages.get([...from.slice(0, depth), name].join("/"));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What our own packages ask for directly, all together. */
export function askedFor(
  own: LockFile["own"],
  kind: keyof Manifest & `${string}ependencies`,
): Record<string, string> {
  return Object.assign({}, ...Object.values(own).map((manifest) => manifest[kind]));
}

/** Everything a package needs: including peers, except for optional ones. */
export function neededBy({
  dependencies,
  optionalDependencies,
  peerDependencies,
  optionalPeers,
}: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !optionalPeers?.includes(name));
  return [
    ...new Set([...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]),
  ];
}

/** `@scope/a/b` is `@scope/a`, then `b`. */
function namesOf(key: string): string[] {
  return key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
}
