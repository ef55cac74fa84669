import { expect } from "bun:test";
import {
  type ChatChunk,
  chatChunkSchema,
  chatCompletionSchema,
} from "../../gateway/src/http/openai/chat/chat-schema.ts";
import type { TestGateway, TestOrganization } from "../harness.ts";

/** A client of the chat wire that trusts nothing: replies and chunks are validated with our strict schemas. */
export type ChatClient = {
  post(body: object, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  /** The reply to a call that must succeed. */
  reply(body: object, headers?: Record<string, string>): Promise<ChatReply>;
  /** The chunks of a stream that must end well. */
  chunks(body: object, headers?: Record<string, string>): Promise<ChatChunk[]>;
};

type ChatReply = ReturnType<typeof chatCompletionSchema.parse>;

export function createChatClient(gateway: TestGateway, { key }: TestOrganization): ChatClient {
  const post: ChatClient["post"] = (body, headers = {}, signal) =>
    fetch(`${gateway.origin}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ model: "sandbox-chat", ...body }),
      signal: signal ?? null,
    });
  return {
    post,
    async reply(body, headers) {
      const response = await post(body, headers);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, text]);
      return chatCompletionSchema.parse(JSON.parse(text));
    },
    async chunks(body, headers) {
      const response = await post({ ...body, stream: true }, headers);
      expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      return readChunks(await response.text());
    },
  };
}

/** Checks the rules of a stream that clients rely on, whatever its content. */
export function readChunks(text: string): ChatChunk[] {
  const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
  expect(frames.pop()).toBe("data: [DONE]");
  const chunks = frames.map((frame) => chatChunkSchema.parse(JSON.parse(frame.slice("data: ".length))));
  const identities = new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`));
  expect(identities.size).toBe(1);
  const answers = Map.groupBy(
    chunks.flatMap(({ choices }) => choices),
    ({ index }) => index,
  );
  for (const choices of answers.values()) {
    expect(choices[0]?.delta.role).toBe("assistant");
    expect(choices.slice(1).every(({ delta }) => delta.role === undefined)).toBe(true);
    expect(choices.map(({ finish_reason }) => finish_reason !== null).indexOf(true)).toBe(choices.length - 1);
    checkCalls(choices);
  }
  return chunks;
}

function checkCalls(choices: ChatChunk["choices"]): void {
  let count = 0;
  for (const call of choices.flatMap(({ delta }) => delta.tool_calls ?? [])) {
    if (call.id === undefined) {
      expect(call).toEqual({ index: call.index, function: { arguments: expect.any(String) } });
      expect(call.index).toBeLessThan(count);
    } else {
      expect(call).toMatchObject({ index: count, type: "function", function: { arguments: "" } });
      count++;
    }
  }
}

export function textOf(chunks: readonly ChatChunk[], index = 0): string {
  const choices = chunks.flatMap((chunk) => chunk.choices.filter((choice) => choice.index === index));
  return choices.map(({ delta }) => delta.content ?? "").join("");
}

/** The tool calls of a stream, assembled as a client does. */
export function callsOf(chunks: readonly ChatChunk[]): { id: string; name: string; arguments: string }[] {
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const { index, id, function: made } of chunks.flatMap(
    ({ choices }) => choices[0]?.delta.tool_calls ?? [],
  )) {
    calls[index] ??= { id: id ?? "", name: made?.name ?? "", arguments: "" };
    const call = calls[index];
    call.arguments += made?.arguments ?? "";
  }
  return calls;
}

export const say = (content: unknown, more: object = {}) => ({
  messages: [{ role: "user", content }],
  ...more,
});

export function tool(name: string, properties: Record<string, unknown> = {}) {
  const parameters = { type: "object", properties, required: Object.keys(properties) };
  return { type: "function", function: { name, description: `Runs ${name}.`, parameters } };
}

export async function balanceOf(gateway: TestGateway, { id }: TestOrganization) {
  const { anytimeAvailable, anytimeHeld } = await gateway.services.ledger.account(id);
  return { total: anytimeAvailable as number, held: anytimeHeld as number };
}

export async function lastRequestOf(gateway: TestGateway, { id }: TestOrganization) {
  const organization = { id, plan: "enterprise" };
  const view = await gateway.services.usage.usageView(organization, { days: 2, limit: 1 });
  return { ...view.requests[0] } as Record<string, unknown>;
}
