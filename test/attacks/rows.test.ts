import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { ATTACKS } from "./rows.ts";

const ROOT = join(import.meta.dir, "..", "..");
const proofs = ATTACKS.flatMap(({ rows }) => rows.flatMap((row) => row.proofs));

test("every attack names a test, and every named test exists", () => {
  expect(ATTACKS.flatMap(({ rows }) => rows).filter((row) => row.proofs.length === 0)).toEqual([]);
  const missing = proofs.filter(([file, title]) => {
    const path = join(ROOT, file);
    if (!existsSync(path)) return true;
    const text = readFileSync(path, "utf8").replaceAll(/\$\{[^}]*\}/g, "…");
    return ![`"${title}"`, `'${title}'`, `\`${title}\``].some((literal) => text.includes(literal));
  });
  expect(missing).toEqual([]);
});

test("every test file of attacks is in the table", () => {
  const named = new Set(proofs.map(([file]) => file));
  const files = [...new Glob("test/attacks/**/*.test.ts").scanSync(ROOT)];
  expect(files.filter((file) => !named.has(file) && file !== "test/attacks/rows.test.ts")).toEqual([]);
});
