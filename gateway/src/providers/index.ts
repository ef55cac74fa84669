/**
 * How a model is reached: the neutral chat request and events, the closed set of failures, and every configured
 * provider by name.
 * Refuses to know credits, the database, HTTP frameworks, organizations and how a call ends.
 *
 * Invariants:
 * - A successful call yields exactly one `finish`, as its last event. Every other end is a ProviderFailure or the
 *   reason of the aborted signal.
 * - A public message contains nothing of a provider's key, host or ids.
 */

export {
  createRenderer,
  createSandboxProvider,
  type DirectiveNote,
  type Renderer,
  SANDBOX_DIRECTIVES,
} from "../../../sandbox/src/index.ts";
export { brokenAnswer, endlessAnswer } from "./answer-failures.ts";
export type { CallContext } from "./call-context.ts";
export { type CarriedReasoning, createCarriedReasoning } from "./carried-reasoning.ts";
export { isContentRefusal } from "./content-refusal.ts";
export {
  type ChatEvent,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  type FilePart,
  type FinishReason,
  type ImagePart,
  isClearNo,
  type Provider,
  ProviderFailure,
  type ProviderFailureKind,
  type ReasoningMark,
  type ReasoningPart,
  type ReportedInput,
  type ReportedUsage,
  type ResponseFormat,
  type TextProvider,
  type Tool,
  type ToolCall,
  type ToolChoice,
  type WireEvent,
  type WireRequest,
} from "./contract.ts";
export { textOfFile } from "./file-text.ts";
export { LEAST_TOKENS_BESIDE_TOOLS } from "./least-tokens.ts";
export {
  type GivenFile,
  type ImageFinish,
  type ImageReport,
  type ImageRequest,
  type KeptFile,
  MAX_SPOKEN_TURNS,
  type MadeFile,
  type MusicRequest,
  type SpeechRequest,
  type SpokenLine,
  VIDEO_TASKS,
  type VideoFailureReason,
  type VideoOperation,
  type VideoProvider,
  type VideoRequest,
  type VideoState,
  type VideoTask,
} from "./media/media-contract.ts";
export { isUsableMedia } from "./media/usable-media.ts";
export { videoHead } from "./media/video-head.ts";
export { WithheldResult } from "./media/withheld-result.ts";
export {
  isServedTool,
  JoinedChunks,
  repeatedReasoning,
  sentReasoning,
  signedTexts,
  writtenInWhole,
} from "./openai-wire/index.ts";
export {
  AbsentFile,
  type Breaker,
  type BreakerOptions,
  type BreakerPermit,
  createBreaker,
  createPublicFetch,
  mayBeHandedOn,
  type PublicFetch,
  pause,
  UnsentFailure,
} from "./outbound/index.ts";
export { createProviders, createRegistry, type Registry } from "./registry.ts";
export { type ProviderTrial, tryProviders } from "./try-providers.ts";
