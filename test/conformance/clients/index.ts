/**
 * The public clients of the compatible interface, all behind the interface of `client.ts`. They know nothing of the
 * gateway but its address. A test that loops over `CLIENTS` covers all of them.
 */
import { agentsChat, agentsResponses } from "./agents.ts";
import { aiSdkChat, aiSdkCompatible, aiSdkResponses } from "./ai-sdk.ts";
import type { Client } from "./client.ts";
import { langchainChat, langchainResponses } from "./langchain.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiChatHelpers } from "./openai-chat-runner.ts";
import { openaiResponses, openaiResponsesHelpers } from "./openai-responses.ts";

export type { Access, Answer, Ask, Client, ClientTool, Refusal } from "./client.ts";

export const CLIENTS: readonly Client[] = [
  openaiChat,
  openaiChatHelpers,
  openaiResponses,
  openaiResponsesHelpers,
  aiSdkChat,
  aiSdkResponses,
  aiSdkCompatible,
  langchainChat,
  langchainResponses,
  agentsChat,
  agentsResponses,
];
