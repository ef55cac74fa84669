/**
 * What can be asked of a model and what comes back, in neutral terms: requests, events, files, and the closed set of
 * failures. Types, and pure functions over them.
 * Refuses to know any wire, vendor, price or network.
 *
 * Invariants:
 * - A successful answer yields exactly one `finish`, as its last event. Every other end is a ProviderFailure or the
 *   reason of the aborted signal.
 * - A public message contains nothing of a provider's key, host or ids.
 */
export { brokenAnswer, endlessAnswer, lateAnswer, NOT_IN_TIME, unreadableAnswer } from "./answer-failures.ts";
export { INDEX_OF, isInstruction, isMarkedByCaller, withMarks } from "./cache-marks.ts";
export type { CallContext } from "./call-context.ts";
export { type CarriedReasoning, createCarriedReasoning } from "./carried-reasoning.ts";
export type {
  ChatEvent,
  ChatMessage,
  ChatRequest,
  ContentPart,
  FilePart,
  FinishReason,
  ImagePart,
  MarkPlace,
  Place,
  ReasoningMark,
  ReasoningPart,
  ReportedInput,
  ReportedUsage,
  ResponseFormat,
  TextPlace,
  TextProvider,
  Tool,
  ToolCall,
  ToolChoice,
  WireEvent,
  WireRequest,
  WrittenParts,
} from "./chat.ts";
export { isContentRefusal } from "./content-refusal.ts";
export { isSentAsText, textOfFile } from "./file-text.ts";
export { nearestSize, type Sides, type SizeLimits, sidesFor, sidesOf } from "./image-sides.ts";
export { inMemory } from "./in-memory.ts";
export { LEAST_TOKENS_BESIDE_TOOLS } from "./least-tokens.ts";
export {
  type GivenFile,
  type ImageFinish,
  type ImageProvider,
  type ImageReport,
  type ImageRequest,
  type KeptFile,
  MAX_SPOKEN_TURNS,
  type MadeFile,
  type MusicProvider,
  type MusicRequest,
  type SpeechProvider,
  type SpeechRequest,
  type SpokenLine,
  VIDEO_TASKS,
  type VideoFailureReason,
  type VideoOperation,
  type VideoProvider,
  type VideoRequest,
  type VideoState,
  type VideoTask,
} from "./media.ts";
export type { FreeQuestion, Provider, ProviderTrial, Registry } from "./provider.ts";
export {
  afterOrder,
  isClearNo,
  ProviderFailure,
  type ProviderFailureDetail,
  type ProviderFailureKind,
} from "./provider-failure.ts";
export { failureKindOf, reasonOfUnauthorized } from "./status-failure.ts";
export { fileTypeByName, IMAGE_TYPES, typeByName } from "./type-by-name.ts";
export { UnusableFile } from "./unusable-file.ts";
export { WithheldResult } from "./withheld-result.ts";
