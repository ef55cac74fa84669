import type { HttpDeps, HttpSettings } from "../context.ts";

/** What stands in the document of one gateway and not of another. */
export type Described = Pick<HttpSettings, "publicUrl" | "keyPrefix" | "aliasPrefix"> &
  Pick<HttpDeps, "sandboxDirectives">;

/** The text above the operations. Sections become entries of the reference's side bar. */
export function introduction({ publicUrl, keyPrefix, sandboxDirectives }: Described): string {
  return `One API key, one balance of credits, every model your organization may use. Every call that generates something says what it cost and what is left.

## Two interfaces
The main interface is at \`${publicUrl}/functions/v1\`. A second one at \`${publicUrl}/v1\` follows the chat-completions conventions, so that generic clients can be pointed at it. Both take the same keys and spend the same credits.

## Authentication
Send \`Authorization: Bearer ${keyPrefix}…\`, once. A key carries scopes (chat, images, video, audio, usage, assets) and each operation names the one it needs. \`X-Member-User-Id\` attributes a call to a member of the organization.

## Errors
The main interface answers \`{"error": {"code", "message", "request_id"}}\` with one of ten codes, the compatible one \`{"error": {"message", "type", "param", "code"}}\`. The message names the field and what it accepts. Every reply carries \`x-request-id\`. A call that fails costs nothing.

## Repeating a call safely
A call that spends takes an \`Idempotency-Key\` of 1 to 255 visible ASCII characters, kept for 24 hours per organization and endpoint. The same key with the same request gives the first reply again, with \`Idempotent-Replayed: true\`, and charges nothing. With another request it is a 409, and while the first call runs a 409 with \`Retry-After\`.

## Sandbox directives
The sandbox models answer without any provider, and do on purpose what is hard to wait for. Write a directive into the last user message, or into the prompt of an image, speech, music or a video:

| Directive | What happens |
|---|---|
${sandboxDirectives.map(({ directive, effect }) => `| \`${directive}\` | ${effect} |`).join("\n")}
`;
}
