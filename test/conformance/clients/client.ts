import type { z } from "zod";

/** Where a client is pointed, and how often it may try again where it does not decide that itself. */
export type Access = {
  readonly origin: string;
  readonly key: string;
  readonly maxRetries?: number;
};

/** A tool in the hands of a client, which runs it and sends its result back. */
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

/** What a client's user has in hand at the end of a conversation. */
export type Answer = {
  readonly text: string;
  /** The structured value, where a schema was asked for. */
  readonly value?: unknown;
  /** Of all turns together. */
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** How a client shows its user that a call was refused. */
export type Refusal = {
  /** Null where an error came inside a stream. */
  readonly status: number | null;
  readonly code: string | null;
  /** The field of the caller's that is wrong. */
  readonly param: string | null;
  readonly checkoutUrl: string | null;
};

/**
 * A public library, driven the way its documentation shows. All of them answer the same questions, so that
 * one table of expectations holds for each.
 */
export type Client = {
  readonly name: string;
  readonly wire: "chat" | "responses";
  /** Reads `x-should-retry`; the others go by the status alone. */
  readonly readsShouldRetry: boolean;
  /** Throws what the library throws. */
  ask(access: Access, ask: Ask): Promise<Answer>;
  /** The same as a stream; `onText` gets the text as it comes. */
  stream(access: Access, ask: Ask, onText?: (text: string) => void): Promise<Answer>;
  refusalOf(error: unknown): Refusal;
};

/** More turns than any test needs; a client that goes on asking is cut here. */
export const MAX_TURNS = 4;

export function runTool(tools: readonly ClientTool[] = [], name: string, input: unknown): string {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`the model called ${name}, which nobody offered`);
  return tool.run(tool.parameters.parse(input));
}
