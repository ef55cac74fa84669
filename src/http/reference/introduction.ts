import type { HttpSettings } from "../context.ts";

/** What stands in the document of one gateway and not of another. */
export type Described = Pick<HttpSettings, "publicUrl" | "keyPrefix">;

/** The text above the operations. Sections become entries of the reference's side bar. */
export function introduction({ publicUrl, keyPrefix }: Described): string {
  return `One API key, one purse of credits, every model your organization may use. Every call that generates something says what it cost and what is left.

## Two interfaces
The main interface is at \`${publicUrl}/functions/v1\`. A second one at \`${publicUrl}/v1\` follows the chat-completions conventions, so that generic clients can be pointed at it. Both take the same keys and spend the same credits.

## Authentication
Send \`Authorization: Bearer ${keyPrefix}…\`, once. A key carries scopes (chat, images, video, audio, usage, assets) and each operation names the one it needs. \`X-Member-User-Id\` attributes a call to a member of the organization.

## Errors
The main interface answers \`{"error": {"code", "message", "request_id"}}\` with one of ten codes, the compatible one \`{"error": {"message", "type", "param", "code"}}\`. The message names the field and what it accepts. Every reply carries \`x-request-id\`. A call that fails costs nothing.

## Repeating a call safely
A call that spends takes an \`Idempotency-Key\` of 1 to 255 visible ASCII characters, kept for 24 hours per organization and endpoint. The same key with the same request gives the first reply again, with \`Idempotent-Replayed: true\`, and charges nothing. With another request it is a 409, and while the first call runs a 409 with \`Retry-After\`.

## Sandbox directives
The sandbox models answer without any provider, and do on purpose what is hard to wait for. Write a directive into the last user message, or into the prompt of a picture, a sound or a film:

| Directive | What happens |
|---|---|
${DIRECTIVES.map(([directive, effect]) => `| \`${directive}\` | ${effect} |`).join("\n")}
`;
}

const DIRECTIVES: readonly (readonly [string, string])[] = [
  ["[sandbox:error=429]", "The provider fails with that status before its first byte; 300 to 599."],
  ["[sandbox:cut=after:20]", "The provider breaks off after 20 words."],
  ["[sandbox:delay=3s]", "The answer takes that long, 120 s at most."],
  ["[sandbox:first-byte=2s]", "The first byte comes that late, 120 s at most."],
  ["[sandbox:tokens=500]", "The answer has that many tokens."],
  ["[sandbox:usage=none]", "The provider reports no usage, so our estimate is charged."],
  ["[sandbox:finish=length]", "The answer ends with that reason: stop, length or content_filter."],
  ["[sandbox:echo]", "The answer is your own message."],
  ["[sandbox:fail]", "A picture, a sound or a film is not made, and costs nothing."],
  ["[sandbox:processing=10s]", "A film takes that long, 120 s at most."],
];
