/**
 * The path of every paid call: quote, admit, provider, cost, settle.
 * Owns the order of those steps and how a call ends. `chat`, `answer-reader` and `media-work` decide which end it is;
 * `paid-call` alone begins and settles a call; `video/end` ends video jobs, which no client waits for.
 * Refuses to know HTTP and SQL, and reads no wire: what a provider says in the caller's own wire is passed on as it
 * came, and joined by functions of `wires`. Knows no provider: it is given a registry of them.
 *
 * Folders: `prompt/` what is sent and how it is counted; `targets/` which providers are called; `answer/` what came
 * back; `paid-call/` admission and the ending; `media/` images and audio; `video/` jobs; `token-correction/` what
 * reported usage teaches our count; `cache-marks/` where prompts are marked for caches.
 *
 * Invariants:
 * - No provider is called without a hold.
 * - A call ends exactly once.
 * - A charge is committed before the caller is told of it.
 */
export { eventsOf } from "./answer/answer-events.ts";
export type { ChatStreamPart } from "./answer/answer-reader.ts";
export { type CacheMarks, createCacheMarks } from "./cache-marks/cache-marks.ts";
export type { ChatCall } from "./chat-call.ts";
export type { ChatStream } from "./chat-stream.ts";
export { createGeneration, type Generation } from "./generation.ts";
export type { MusicCall, SpeechCall } from "./media/audio.ts";
export type { AudioOutcome, ImageOutcome } from "./media/media-outcome.ts";
export type { ChatOutcome, Paid, WholeAnswer } from "./outcome.ts";
export { createRunningCalls, type RunningCalls } from "./paid-call/running-calls.ts";
export {
  type ChatPrompt,
  conversationField,
  type SentPrompt,
  type UnseenText,
  type WireTexts,
} from "./prompt/chat-prompt.ts";
export { compactedPromptSteps } from "./prompt/compacted-prompt.ts";
export type { InTurns, ResolvedCall, WaitingCall } from "./resolved-call.ts";
export { createTokenCorrections, type TokenCorrections } from "./token-correction/token-correction.ts";
export { EXTENT_FIELDS, type ExtentField } from "./video/extent.ts";
export {
  LeaseLost,
  type VideoEnd,
  type VideoEnding,
  type VideoJob,
  type VideoJobs,
  type VideoView,
} from "./video/job.ts";
export {
  REFERENCES,
  type Reference,
  unusableReference,
  type VideoOptions,
} from "./video/order.ts";
export { type AdvanceVideo, createAdvanceVideo } from "./video/step.ts";
export { createVideoCalls, type SubmittedVideo, type VideoCall, type VideoCalls } from "./video/submit.ts";
