import type { z } from "zod";

/** Where a client connects, and how often it retries, for clients that leave that to their user. */
export type Access = {
  readonly origin: string;
  readonly key: string;
  readonly maxRetries?: number;
};

/** A tool that the client runs itself; it sends the result back. */
export type ClientTool = {
  readonly name: string;
  readonly parameters: z.ZodObject;
  run(input: Readonly<Record<string, unknown>>): string;
};

export type Ask = {
  readonly model: string;
  readonly prompt: string;
  /** A data URL. */
  readonly imageUrl?: string;
  readonly tools?: readonly ClientTool[];
  readonly schema?: z.ZodObject;
  readonly signal?: AbortSignal;
};

/** What a client returns to its user at the end of a conversation. */
export type Answer = {
  readonly text: string;
  /** The structured value, if a schema was given. */
  readonly value?: unknown;
  /** The sum over all turns. */
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** How a client shows its user that a call was refused. */
export type Refusal = {
  /** Null for an error inside a stream. */
  readonly status: number | null;
  readonly code: string | null;
  /** The request field that is wrong. */
  readonly param: string | null;
  readonly checkoutUrl: string | null;
};

/**
 * A public library, used the way its documentation shows. All of them are behind this one interface, so that one table
 * of expectations applies to each.
 */
export type Client = {
  readonly name: string;
  readonly wire: "chat" | "responses";
  /** True if it honours `x-should-retry`; the others go by the status alone. */
  readonly readsShouldRetry: boolean;
  /** Throws what the library throws. */
  ask(access: Access, ask: Ask): Promise<Answer>;
  /** Like `ask`, streamed; `onText` gets the text as it arrives. */
  stream(access: Access, ask: Ask, onText?: (text: string) => void): Promise<Answer>;
  refusalOf(error: unknown): Refusal;
};

/** More turns than any test needs; a client that keeps asking is stopped here. */
export const MAX_TURNS = 4;

export function runTool(tools: readonly ClientTool[] = [], name: string, input: unknown): string {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`the model called ${name}, which nobody offered`);
  return tool.run(tool.parameters.parse(input));
}
