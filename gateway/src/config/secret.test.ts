import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureSecret, findSecret } from "./secret.ts";

const root = mkdtempSync(join(tmpdir(), "bursar-secret-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(): string {
  return join(mkdtempSync(join(root, "d-")), "data");
}

describe("the secret", () => {
  test("is that of the setting if there is one, and nothing is written", () => {
    const dataDir = folder();
    expect(ensureSecret({ secret: "given".repeat(10), dataDir })).toBe("given".repeat(10));
    expect(() => readdirSync(dataDir)).toThrow();
  });

  test("is created once and found again, readable by its owner only", () => {
    const dataDir = folder();
    const secret = ensureSecret({ secret: null, dataDir });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(ensureSecret({ secret: null, dataDir })).toBe(secret);
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(readdirSync(dataDir)).toEqual(["secret"]);
  });

  test("is found by findSecret, which never creates it", () => {
    const dataDir = folder();
    expect(findSecret({ secret: "given".repeat(10), dataDir })).toBe("given".repeat(10));
    expect(findSecret({ secret: null, dataDir })).toBeNull();
    expect(() => readdirSync(dataDir)).toThrow();
    const secret = ensureSecret({ secret: null, dataDir });
    expect(findSecret({ secret: null, dataDir })).toBe(secret);
    writeFileSync(join(dataDir, "secret"), "short");
    expect(findSecret({ secret: null, dataDir })).toBeNull();
  });

  test("gets its mode back if a copy of the folder lost it", () => {
    const dataDir = folder();
    ensureSecret({ secret: null, dataDir });
    chmodSync(join(dataDir, "secret"), 0o644);
    ensureSecret({ secret: null, dataDir });
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
  });

  test("that is too short is refused, not replaced", () => {
    const dataDir = folder();
    ensureSecret({ secret: null, dataDir });
    writeFileSync(join(dataDir, "secret"), "short");
    expect(() => ensureSecret({ secret: null, dataDir })).toThrow("holds fewer than 32 characters");
    expect(readFileSync(join(dataDir, "secret"), "utf8")).toBe("short");
  });

  test("that cannot be stored gives an error with the data folder and its setting", () => {
    const file = join(root, "a-file");
    writeFileSync(file, "");
    for (const dataDir of [file, join(file, "data"), "/proc/no-such-folder"]) {
      expect(() => ensureSecret({ secret: null, dataDir })).toThrow(
        new RegExp(`^The data folder ${dataDir} \\(BURSAR_DATA_DIR\\) cannot be used: E[A-Z]+: .*\\.$`),
      );
    }
  });

  test("is the same for processes that start together", async () => {
    const dataDir = folder();
    const code = `
      import { ensureSecret } from ${JSON.stringify(join(import.meta.dir, "secret.ts"))};
      process.stdout.write(ensureSecret({ secret: null, dataDir: ${JSON.stringify(dataDir)} }));
    `;
    const started = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" }),
    );
    const secrets = await Promise.all(started.map((child) => new Response(child.stdout).text()));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(readdirSync(dataDir)).toEqual(["secret"]);
  });
});
