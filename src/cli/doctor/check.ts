import type { ObjectStoreSettings } from "../../assets/index.ts";
import { isOutOfRoom, messageOf } from "../../kit/index.ts";

/** One thing that was looked at: how it stands, what was found, and what to do about it. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "untried" | "warning" | "broken";
  readonly finding: string;
  readonly fix: string | null;
};

export function fine(name: string, finding: string): Check {
  return { name, state: "ok", finding, fix: null };
}

/** Nothing speaks against it, but nobody has looked. */
export function untried(name: string, finding: string): Check {
  return { name, state: "untried", finding, fix: null };
}

export function warning(name: string, finding: string, fix: string): Check {
  return { name, state: "warning", finding, fix };
}

export function broken(name: string, finding: string, fix: string): Check {
  return { name, state: "broken", finding, fix };
}

/** A server's answer may be the error's message. */
const MAX_REASON_CHARACTERS = 300;

/**
 * The first line of an error, without the full stop: it becomes part of a sentence. A server may say back what it was
 * sent, so `secrets` are hidden first.
 */
export function reasonOf(error: unknown, secrets: readonly string[] = []): string {
  const [line = ""] = messageOf(error).split("\n");
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "[hidden]"), line);
  if (hidden.length > MAX_REASON_CHARACTERS) return `${hidden.slice(0, MAX_REASON_CHARACTERS)}…`;
  return hidden.replace(/\.$/, "");
}

/** What a store's answer must not say back. */
export function secretsOf(settings: ObjectStoreSettings): readonly string[] {
  return settings.kind === "s3" ? [settings.secretAccessKey, settings.accessKeyId] : [];
}

/** What to do about it, unless only room is missing: rights and other settings do not help then. */
export function fixUnlessFull(error: unknown, fix: string): string {
  return isOutOfRoom(error) ? "Free some space." : fix;
}
