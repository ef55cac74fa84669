import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withBoundPort } from "../../config/index.ts";
import { loadConfig } from "../settings.ts";
import { announceAddress, servedAddress } from "./served-address.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "bursar-address-test-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const settings = (env: Record<string, string> = {}) =>
  loadConfig({ BURSAR_DATA_DIR: dataDir, ...env }, "/nonexistent");

test("a command links to where the gateway of its data folder serves, as long as that runs", () => {
  const forget = announceAddress(withBoundPort(settings({ PORT: "0" }), 9999));
  expect(servedAddress(settings())).toBe("http://127.0.0.1:9999");
  expect(servedAddress(settings({ PORT: "0" }))).toBe("http://127.0.0.1:9999");
  forget();
  expect(servedAddress(settings())).toBe("http://127.0.0.1:8787");
  expect(readdirSync(dataDir)).toEqual([]);
});

test("what the command is told itself comes first", () => {
  announceAddress(settings({ PORT: "9999" }));
  expect(servedAddress(settings({ PORT: "8812" }))).toBe("http://127.0.0.1:8812");
  expect(servedAddress(settings({ BURSAR_PUBLIC_URL: "https://ai.example.com" }))).toBe(
    "https://ai.example.com",
  );
});

test("a public address reaches commands that have only the data folder", () => {
  announceAddress(settings({ BURSAR_PUBLIC_URL: "https://ai.example.com" }));
  expect(servedAddress(settings())).toBe("https://ai.example.com");
});

test("of two gateways on one folder, the end of the first leaves the address of the second", () => {
  const forgetFirst = announceAddress(settings({ PORT: "9998" }));
  announceAddress(settings({ PORT: "9999" }));
  forgetFirst();
  expect(servedAddress(settings())).toBe("http://127.0.0.1:9999");
});

test("creates the data folder, and serves without a note if it cannot be written", () => {
  rmSync(dataDir, { recursive: true });
  announceAddress(settings({ PORT: "9999" }))();
  mkdirSync(join(dataDir, "address"));
  announceAddress(settings({ PORT: "9999" }))();
  expect(servedAddress(settings())).toBe("http://127.0.0.1:8787");
});

test("a file that is no address is not printed", () => {
  for (const text of ["", "nonsense", "javascript:alert(1)", "http://127.0.0.1:9999/path"]) {
    writeFileSync(join(dataDir, "address"), text);
    expect(servedAddress(settings())).toBe("http://127.0.0.1:8787");
  }
});
