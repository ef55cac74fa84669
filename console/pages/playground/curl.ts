import type { PlayCall } from "./play.ts";

const AUTHORIZATION = `-H "Authorization: Bearer $BURSAR_KEY"`;

/** The same call for a terminal; expects the user's key in `BURSAR_KEY`. */
export function curlOf(publicUrl: string, { endpoint, body, headers = {}, files = {} }: PlayCall): string {
  const isStreamed = body["stream"] === true;
  const json = quoted(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "));
  const fields = Object.entries(files).map(([field, { name }]) => fileField(field, name));
  const call = [
    `curl ${isStreamed ? "-N " : ""}${publicUrl}/functions/v1/${endpoint}`,
    AUTHORIZATION,
    `-H "Content-Type: application/json"`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    fields.length === 0 ? `-d ${json}` : "-d @-",
  ].join(" \\\n  ");
  // A file is too long for a program's argument, but not for that of a shell builtin.
  return fields.length === 0 ? call : `printf '%s' ${withFields(json, fields)} |\n${call}`;
}

export function pollCurlOf(publicUrl: string, requestId: string): string {
  return `curl "${publicUrl}/functions/v1/api-v1-video?request_id=${requestId}" \\\n  ${AUTHORIZATION}`;
}

/** Closes the quotes for the file's bytes and reopens them. */
function fileField(field: string, name: string): string {
  const path = name.startsWith("-") ? `./${name}` : name;
  return `"${field}": "'"$(base64 < ${quoted(path)} | tr -d '\\n')"'"`;
}

function withFields(json: string, fields: readonly string[]): string {
  const open = json.slice(0, json.lastIndexOf("\n"));
  return `${open},\n    ${fields.join(",\n    ")}\n  }'`;
}

/** Whatever a prompt contains, the shell must read it as text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
