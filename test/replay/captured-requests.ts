import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSchemaBook, type SchemaBook } from "./json-schema.ts";

const SHARED = join(import.meta.dir, "..", "..", "..", "shared");
const CAPTURES = join(SHARED, "captures");

/** Requests captured from real clients are kept beside the project, not in it. */
export const hasCaptures = existsSync(CAPTURES);
if (!hasCaptures) console.log("replay: no captured requests here, nothing of theirs is tried");

export type CapturedRequest = {
  readonly name: string;
  readonly path: (typeof PATHS)[number];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

const PATHS = ["/v1/responses", "/v1/chat/completions", "/v1/images/generations"] as const;
/** Set again by whoever resends the request. */
const OWN_HEADERS = ["authorization", "host", "content-length", "connection", "accept-encoding"];

export function capturedRequests(): readonly CapturedRequest[] {
  if (!hasCaptures) return [];
  return readdirSync(CAPTURES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .flatMap((file) => {
      const { url, headers, body } = JSON.parse(readFileSync(join(CAPTURES, file), "utf8"));
      const path = PATHS.find((known) => String(url).endsWith(known.slice("/v1".length)));
      if (path === undefined) return [];
      const kept = Object.entries<string>(headers).filter(
        ([name]) => !OWN_HEADERS.includes(name.toLowerCase()),
      );
      return [{ name: file, path, headers: Object.fromEntries(kept), body }];
    });
}

/** Reads a published document of reply schemas. The usage of a response may be null: OpenAI's is until it ends. */
export function publishedSchemas(file: string): SchemaBook {
  const document = JSON.parse(readFileSync(join(SHARED, "openai", file), "utf8"));
  const { ResponseUsage: usage } = document.components.schemas;
  if (usage !== undefined) usage.nullable = true;
  return createSchemaBook(document);
}
