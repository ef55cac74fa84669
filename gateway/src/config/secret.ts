import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "../kit/index.ts";

export const MIN_SECRET_CHARACTERS = 32;

type SecretSettings = { readonly secret: string | null; readonly dataDir: string };

/** Where the secret is kept that we created ourselves. */
export function secretPath(dataDir: string): string {
  return join(dataDir, "secret");
}

/** The secret if it exists and can be read; never creates one. */
export function findSecret(config: SecretSettings): string | null {
  try {
    return config.secret ?? readSecret(secretPath(config.dataDir));
  } catch {
    return null;
  }
}

/** Why the secret in the data folder cannot be used; null if it can, is not needed or is yet to be created. */
export function faultOfSecret(config: SecretSettings): string | null {
  try {
    if (config.secret === null) readSecret(secretPath(config.dataDir));
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * The secret that signs cursors and sessions: the configured one, or one of our own that is kept in the data folder
 * (never in the database, whose dumps travel). Several processes may start at once: all of them return the one that was
 * created first.
 */
export function ensureSecret(config: SecretSettings): string {
  if (config.secret !== null) return config.secret;
  try {
    return keepSecret(config.dataDir);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new Error(
      `The data folder ${config.dataDir} (BURSAR_DATA_DIR) cannot be used: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}

function keepSecret(dataDir: string): string {
  const path = secretPath(dataDir);
  const found = readSecret(path);
  if (found !== null) return found;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  placeSecret(path, randomBytes(32).toString("base64url"));
  const placed = readSecret(path);
  if (placed === null) throw new Error(`${path} vanished while it was written. Set BURSAR_SECRET instead.`);
  return placed;
}

function readSecret(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  if (text.length < MIN_SECRET_CHARACTERS) {
    throw new Error(
      `${path} holds fewer than ${MIN_SECRET_CHARACTERS} characters. Restore it from a backup, or remove it to get a new one (sessions and page cursors end).`,
    );
  }
  // Copying the folder may have lost the mode.
  chmodSync(path, 0o600);
  return text;
}

/** Creates the file atomically and never replaces an existing one, even if killed at any point. */
function placeSecret(path: string, secret: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}
