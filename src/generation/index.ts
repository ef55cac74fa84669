/**
 * The path every paid call walks: quote, admit, provider, cost, settle.
 * Owns the order of those steps and how a call ends (only `paid-call` decides that).
 * Refuses to know wires, HTTP and SQL.
 * Invariants: no provider is called without a hold; a call ends exactly once; what a caller is told
 * it paid was committed before it is told.
 */
export { type CarriedReasoning, createCarriedReasoning } from "../providers/index.ts";
export type { ChatStreamPart } from "./answer-reader.ts";
export type { ChatCall, ChatPrompt } from "./chat-call.ts";
export type { ChatStream } from "./chat-stream.ts";
export { createGeneration, type Generation } from "./generation.ts";
export * from "./outcome.ts";
export { createRunningCalls, type RunningCalls } from "./running-calls.ts";
