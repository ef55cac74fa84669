import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What tests may read; they do not need the rest of the tree. */
const PARTS = [
  "gateway",
  "compaction",
  "sandbox",
  "test",
  "scripts",
  "console",
  "bin",
  "bunfig.toml",
  "package.json",
  "tsconfig.json",
];

export type TreeCopy = {
  readonly folder: string;
  write(path: string, text: string): void;
  remove(): void;
};

/** Mutants are written to a copy, so that nobody who works in the tree itself meets one. */
export function copyTree(root: string): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), "bursar-mutants-"));
  for (const part of PARTS) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  const packages = join(root, "node_modules");
  if (existsSync(packages)) symlinkSync(packages, join(folder, "node_modules"));
  return {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
