import { messageOf } from "../cli-error.ts";

/** One thing that was looked at: how it stands, what was found, and what to do about it. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "warning" | "broken";
  readonly found: string;
  readonly mend: string | null;
};

export function fine(name: string, found: string): Check {
  return { name, state: "ok", found, mend: null };
}

export function warning(name: string, found: string, mend: string): Check {
  return { name, state: "warning", found, mend };
}

export function broken(name: string, found: string, mend: string): Check {
  return { name, state: "broken", found, mend };
}

/** The first line of an error, without the full stop: it becomes part of a sentence. */
export function reasonOf(error: unknown): string {
  return (messageOf(error).split("\n")[0] ?? "").replace(/\.$/, "");
}
