import { readProjectFile } from "./source-tree.ts";

type Kind = "dependencies" | "optionalDependencies" | "devDependencies";

/** Our own packages, by their folder. */
export const PACKAGES = ["gateway", "compaction", "sandbox", "console"] as const;

/** Package and version that a package of ours asks for; the folder "." is the workspace itself. */
export function askedBy(folder: string, ...kinds: readonly Kind[]): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readProjectFile(`${folder}/package.json`)) as Partial<
    Record<Kind, Record<string, string>>
  >;
  return Object.assign({}, ...kinds.map((kind) => manifest[kind]));
}

/** What a package of ours needs to run. */
export function neededBy(folder: string): Readonly<Record<string, string>> {
  return askedBy(folder, "dependencies", "optionalDependencies");
}
