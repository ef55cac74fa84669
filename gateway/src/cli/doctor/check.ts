import type { ObjectStoreSettings } from "../../assets/index.ts";
import { isOutOfRoom, messageOf } from "../../kit/index.ts";

/** One check: its state, what was found, and what to do about it. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "untried" | "warning" | "broken";
  readonly finding: string;
  readonly fix: string | null;
};

export function fine(name: string, finding: string): Check {
  return { name, state: "ok", finding, fix: null };
}

/** Nothing suggests a fault, but it was not tried. */
export function untried(name: string, finding: string): Check {
  return { name, state: "untried", finding, fix: null };
}

export function warning(name: string, finding: string, fix: string): Check {
  return { name, state: "warning", finding, fix };
}

export function broken(name: string, finding: string, fix: string): Check {
  return { name, state: "broken", finding, fix };
}

/** The message of an error may be a server's whole reply. */
const MAX_REASON_CHARACTERS = 300;

/**
 * The first line of an error, without the full stop, so that it can be part of a sentence. A server may echo what it
 * was sent, so `secrets` are hidden first.
 */
export function reasonOf(error: unknown, secrets: readonly string[] = []): string {
  const [line = ""] = messageOf(error).split("\n");
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "[hidden]"), line);
  if (hidden.length > MAX_REASON_CHARACTERS) return `${hidden.slice(0, MAX_REASON_CHARACTERS)}…`;
  return hidden.replace(/\.$/, "");
}

/** Secrets that a store's reply must not reveal. */
export function secretsOf(settings: ObjectStoreSettings): readonly string[] {
  return settings.kind === "s3" ? [settings.secretAccessKey, settings.accessKeyId] : [];
}

/** The fix, unless the disk is full: then neither permissions nor other settings help. */
export function fixUnlessFull(error: unknown, fix: string): string {
  return isOutOfRoom(error) ? "Free some space." : fix;
}
