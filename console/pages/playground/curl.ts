import type { PlayCall } from "./play.ts";

const AUTHORIZATION = `-H "Authorization: Bearer $BURSAR_API_KEY"`;

/** The same call from a terminal; whoever pastes it keeps their key in `BURSAR_API_KEY`. */
export function curlOf(publicUrl: string, { endpoint, body, headers = {} }: PlayCall): string {
  const isStreamed = body["stream"] === true;
  return [
    `curl ${isStreamed ? "-N " : ""}${publicUrl}/functions/v1/${endpoint}`,
    AUTHORIZATION,
    `-H "Content-Type: application/json"`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    `-d ${quoted(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "))}`,
  ].join(" \\\n  ");
}

export function pollCurlOf(publicUrl: string, requestId: string): string {
  return `curl "${publicUrl}/functions/v1/api-v1-video?request_id=${requestId}" \\\n  ${AUTHORIZATION}`;
}

/** Whatever a prompt says, the shell must read it as text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
