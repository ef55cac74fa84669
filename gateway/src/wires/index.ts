/**
 * What both sides of a wire know, one folder per wire: its fields, how a streamed answer joins, what the model wrote
 * in it, and which tools the client runs itself.
 * Refuses to know clients, vendors, prices and the network.
 *
 * Invariants:
 * - Pure functions and shapes: nothing here waits, and nothing keeps state beyond the object it was asked for.
 * - Every field of foreign JSON is checked before use.
 */
export { JoinedChunks } from "./openai/joined-chunks.ts";
export { NewCitations } from "./openai/new-citations.ts";
export { isServedTool } from "./openai/served-tools.ts";
export {
  PLACE_MARK,
  PLACED,
  parseDetail,
  REASONING_NAMES,
  type ReasoningName,
  signedTexts,
} from "./openai/signed-texts.ts";
export { argumentsOf, type Fields, fieldsOf, isFields, textOf, withField } from "./openai/wire-fields.ts";
export {
  reasoningElsewhere,
  spokenText,
  writtenInCall,
  writtenInItem,
  writtenInWhole,
} from "./openai/written-in-whole.ts";
