import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkObjectStore } from "./check-store.ts";
import { createFileStore } from "./fs-store.ts";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

const parent = mkdtempSync(join(tmpdir(), "bursar-objects-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const BYTES = Uint8Array.from({ length: 100_000 }, (_, at) => at & 255);
let folders = 0;
let root: string;
let store: ObjectStore;
let key: string;

beforeEach(() => {
  root = join(parent, String(++folders), "objects");
  store = createFileStore(root);
  key = newObjectKey("assets", "image/png");
});

const files = () =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
    : [];

test("a written object is read back, whole and in parts, and is gone after its deletion", async () => {
  expect(await store.sizeOf(key)).toBeNull();
  await store.write(key, BYTES);
  expect(await store.sizeOf(key)).toBe(BYTES.byteLength);
  expect(await store.read(key, 0, BYTES.byteLength)).toEqual(BYTES);
  expect(await store.read(key, 255, 3)).toEqual(new Uint8Array([255, 0, 1]));
  expect(await store.blobOf(key, 255, 3)?.bytes()).toEqual(new Uint8Array([255, 0, 1]));
  await store.delete(key);
  await store.delete(key);
  expect([await store.sizeOf(key), files()]).toEqual([null, []]);
});

test("reading beyond the end of an object is an error, not a short result", async () => {
  await store.write(key, BYTES);
  await expect(store.read(key, 99_999, 2)).rejects.toThrow("shorter than it should be");
});

test("the check of a store leaves nothing behind, not even a folder", async () => {
  await checkObjectStore(store, root);
  expect(existsSync(dirname(root))).toBe(false);
  await store.write(key, BYTES);
  await checkObjectStore(store, root);
  expect(readdirSync(root)).toEqual(["assets"]);
  expect(await store.sizeOf(key)).toBe(BYTES.byteLength);
});

test("a failed check leaves nothing behind", async () => {
  const forgetful = { ...store, read: () => Promise.reject(new Error("forgotten")) };
  await expect(checkObjectStore(forgetful, root)).rejects.toThrow("forgotten");
  expect(existsSync(dirname(root))).toBe(false);
});

test("the check reports a folder of objects that this user may not write to", async () => {
  const folder = join(root, "assets", "3f");
  mkdirSync(folder, { recursive: true });
  // All folders but this one are open, so that root, who may write anywhere, can run the check as another user.
  for (const open of [parent, dirname(root), root, dirname(folder)]) chmodSync(open, 0o777);
  chmodSync(folder, 0o500);
  const code = `
    const { checkObjectStore } = await import(${JSON.stringify(join(import.meta.dir, "check-store.ts"))});
    const { createFileStore } = await import(${JSON.stringify(join(import.meta.dir, "fs-store.ts"))});
    if (process.getuid() === 0) process.setuid(65534);
    const root = ${JSON.stringify(root)};
    console.log(await checkObjectStore(createFileStore(root), root).catch((error) => error.message));`;
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toBe(`EACCES: permission denied, access '${folder}'\n`);
});

test.skipIf(process.getuid?.() !== 0)(
  "files that root writes into another user's folder belong to that user",
  async () => {
    mkdirSync(root, { recursive: true });
    chownSync(root, 65534, 65533);
    await store.write(key, BYTES);
    const made = [join(root, key), dirname(join(root, key)), join(root, "assets")];
    expect(made.map((path) => statSync(path)).map(({ uid, gid }) => [uid, gid])).toEqual(
      made.map(() => [65534, 65533]),
    );
  },
);

test("other users of the machine cannot read stored objects", async () => {
  await store.write(key, BYTES);
  const { mode } = await Bun.file(join(root, key)).stat();
  expect(mode & 0o077).toBe(0);
});

test("a key that is not of our own form is refused, so that it cannot be a path", async () => {
  const wrong = [
    "../secret",
    "assets/../../x.png",
    `${key}/../x`,
    "/etc/passwd",
    `${key}\0`,
    `${key}.part`,
    "",
  ];
  for (const bad of wrong) {
    expect(() => store.blobOf(bad, 0, 1)).toThrow("an object key of our own form");
    for (const work of [store.write(bad, BYTES), store.sizeOf(bad), store.read(bad, 0, 1), store.delete(bad)])
      await expect(work).rejects.toThrow("an object key of our own form");
  }
});

test("the remains of an interrupted write are deleted with the object", async () => {
  mkdirSync(dirname(join(root, key)), { recursive: true });
  writeFileSync(join(root, `${key}.part`), "half");
  expect(await store.sizeOf(key)).toBeNull();
  await store.delete(key);
  expect(files()).toEqual([]);
});

describe("a symbolic link", () => {
  const secret = join(parent, "secret.png");
  writeFileSync(secret, "secret");

  test("in place of an object is not an object, and deleting it leaves its target alone", async () => {
    mkdirSync(dirname(join(root, key)), { recursive: true });
    symlinkSync(secret, join(root, key));
    expect(await store.sizeOf(key)).toBeNull();
    await expect(store.read(key, 0, 6)).rejects.toThrow("ELOOP");
    await store.delete(key);
    expect([files(), existsSync(secret)]).toEqual([[], true]);
  });

  test("in place of a folder is not followed for reading, writing or deleting", async () => {
    const elsewhere = join(parent, String(folders), "elsewhere");
    mkdirSync(elsewhere, { recursive: true });
    mkdirSync(dirname(dirname(join(root, key))), { recursive: true });
    symlinkSync(elsewhere, dirname(join(root, key)));
    const target = join(elsewhere, key.split("/").at(-1) ?? "");
    writeFileSync(target, "secret");
    expect(await store.sizeOf(key)).toBeNull();
    await expect(store.read(key, 0, 6)).rejects.toThrow("a folder of its own");
    await expect(store.write(key, BYTES)).rejects.toThrow("a folder of its own");
    await store.delete(key);
    expect(await Bun.file(target).text()).toBe("secret");
  });

  test("with the name of an unfinished write is not followed", async () => {
    mkdirSync(dirname(join(root, key)), { recursive: true });
    symlinkSync(secret, join(root, `${key}.part`));
    await expect(store.write(key, BYTES)).rejects.toThrow("EEXIST");
    expect([await Bun.file(secret).text(), await store.sizeOf(key)]).toEqual(["secret", null]);
  });

  test("that the operator made for the whole store is followed", async () => {
    const disk = join(parent, String(folders), "big-disk");
    mkdirSync(disk, { recursive: true });
    symlinkSync(disk, root);
    await store.write(key, BYTES);
    expect(await store.read(key, 0, 3)).toEqual(new Uint8Array([0, 1, 2]));
  });
});

test("a full disk fails the write and leaves no partial file, and the next write succeeds", async () => {
  // The system's limit on file sizes stands in for a full disk: a write ends early and fails in the same way.
  const code = `
    const { createFileStore } = await import(${JSON.stringify(join(import.meta.dir, "fs-store.ts"))});
    const store = createFileStore(${JSON.stringify(root)});
    const failed = await store.write(${JSON.stringify(key)}, new Uint8Array(1_000_000)).catch((error) => error.code);
    await store.write(${JSON.stringify(newObjectKey("assets", "image/png"))}, new Uint8Array(1_000));
    console.log(failed);`;
  const child = Bun.spawn(
    ["sh", "-c", 'trap "" XFSZ; ulimit -f 64; exec "$0" -e "$1"', process.execPath, code],
    {
      stdout: "pipe",
    },
  );
  expect((await new Response(child.stdout).text()).trim()).toBe("EFBIG");
  expect([await child.exited, files().length, await store.sizeOf(key)]).toEqual([0, 1, null]);
});
