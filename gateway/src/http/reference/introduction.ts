import type { HttpDeps, HttpSettings } from "../context.ts";

/** The parts of the document that differ from one gateway to another. */
export type Described = Pick<HttpSettings, "publicUrl" | "keyPrefix" | "aliasPrefix"> &
  Pick<HttpDeps, "sandboxDirectives">;

/** The text above the operations. Its headings become entries in the reference's sidebar. */
export function introduction({ publicUrl, keyPrefix, sandboxDirectives }: Described): string {
  return `One API key, one balance of credits, every model your organization may use. Every generating call reports what it cost and what is left.

## Two interfaces
The main interface is at \`${publicUrl}/functions/v1\`. A second one at \`${publicUrl}/v1\` follows the chat-completions conventions, for generic clients. Both accept the same keys and spend the same credits.

## Authentication
Send \`Authorization: Bearer ${keyPrefix}…\`, once. A key carries scopes (chat, images, video, audio, usage, assets), and each operation names the one it needs. The optional header \`X-Member-User-Id\` attributes a call to a member of the organization.

## Errors
The main interface returns \`{"error": {"code", "message", "request_id"}}\` with one of ten codes; the compatible interface returns \`{"error": {"message", "type", "param", "code"}}\`. The message names the field and what it accepts. A 401 carries \`WWW-Authenticate: Bearer\`. A call that fails costs nothing, unless its provider stopped because of the content after some of the answer: the error then says what it cost.

## Replies
Every reply carries \`x-request-id\`. A request's own \`X-Client-Request-Id\`, up to 128 visible ASCII characters, is repeated in its reply and stands in the log. Calls that spend credits and reads say in their rate-limit headers how many more may follow in this minute; reads may be ten times as many. HEAD works wherever GET does. Replies above 1 KiB are compressed if \`Accept-Encoding\` asks for gzip; event streams and files are not.

## Repeating a call safely
Send an \`Idempotency-Key\` of 1 to 255 visible ASCII characters with any call that spends credits. It is kept for 24 hours per API key and endpoint.

- The same key with the same request returns the first reply again, with \`Idempotent-Replayed: true\`, and charges nothing.
- The same key with a different request is a 409.
- While the first call is still running, a repeat is a 409 with \`Retry-After\`.

## Sandbox directives
The sandbox models answer without any provider. A directive makes them do what is hard to provoke otherwise. Write it into the last user message, or into the prompt for an image, audio or a video:

| Directive | What happens |
|---|---|
${sandboxDirectives.map(({ directive, effect }) => `| \`${directive}\` | ${effect} |`).join("\n")}
`;
}
