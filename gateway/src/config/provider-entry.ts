import { isObject } from "../kit/index.ts";
import { HTTP_URL_ACCEPTS, isToken, parseHttpUrl } from "./env.ts";
import type { Mapping } from "./file.ts";

/** Fields that an entry of `providers` may have. */
export const PROVIDER_FIELDS = [
  "kind",
  "base_url",
  "api_key",
  "access_key_id",
  "secret_access_key",
  "session_token",
  "service_account_file",
  "headers",
  "on_disconnect",
  "api_version",
  "region",
  "project",
  "stream_usage",
  "max_tokens_field",
  "responses",
  "thinks_beyond_limit",
] as const;

export type ProviderField = (typeof PROVIDER_FIELDS)[number];

const WORD = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;
const MAX_HEADERS = 32;
/** These describe how the message is sent, which the operator does not decide. */
const OUR_HEADERS = [
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "accept-encoding",
];

export function isWord(text: string): boolean {
  return WORD.test(text);
}

/** Reads the fields of one entry and collects every wrong one; values are never shown, since they may be secrets. */
export function createEntryReader(path: string, entry: Mapping, problems: string[]) {
  function wrong(field: ProviderField, accepts: string): undefined {
    problems.push(`${path}.${field}: ${accepts}`);
    return undefined;
  }

  return {
    oneOf<const Values extends readonly string[]>(
      field: ProviderField,
      values: Values,
      { optional }: { readonly optional: boolean },
    ): Values[number] | undefined {
      const value = entry[field];
      if (value === undefined && optional) return undefined;
      return (
        values.find((candidate) => candidate === value) ?? wrong(field, `must be one of ${values.join(", ")}`)
      );
    },
    address(field: ProviderField, { optional }: { readonly optional: boolean }): string | null {
      const value = entry[field];
      if (value === undefined && optional) return null;
      const url = typeof value === "string" ? parseHttpUrl(value) : null;
      return url ?? wrong(field, HTTP_URL_ACCEPTS) ?? null;
    },
    apiKey(field: ProviderField): string | null {
      const value = entry[field];
      if (value === undefined) return null;
      // An empty key comes from a variable that is not set, which has already been reported.
      if (typeof value === "string" && (value === "" || isToken(value))) return value || null;
      return wrong(field, "must be text of visible ASCII characters without spaces") ?? null;
    },
    word(field: ProviderField): string | undefined {
      const value = entry[field];
      if (value === undefined || (typeof value === "string" && isWord(value))) return value;
      return wrong(field, "must be text of letters, digits and . _ : -");
    },
    flag(field: ProviderField): boolean | undefined {
      const value = entry[field];
      return value === undefined || typeof value === "boolean"
        ? value
        : wrong(field, "must be true or false");
    },
    headers(field: ProviderField): Readonly<Record<string, string>> | undefined {
      const value = entry[field];
      if (value === undefined) return undefined;
      const headers = isObject(value) ? Object.entries(value) : null;
      const right =
        headers !== null &&
        headers.length <= MAX_HEADERS &&
        headers.every(([name, text]) => isHeader(name, text));
      if (!right)
        return wrong(field, `must be a mapping of at most ${MAX_HEADERS} header names to their texts`);
      return Object.freeze(
        Object.fromEntries(headers.map(([name, text]) => [name.toLowerCase(), String(text)])),
      );
    },
  };
}

function isHeader(name: string, text: unknown): boolean {
  if (!HEADER_NAME.test(name) || OUR_HEADERS.includes(name.toLowerCase())) return false;
  return typeof text === "string" && HEADER_VALUE.test(text);
}
