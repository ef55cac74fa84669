import { randomUUID } from "node:crypto";
import type { Catalog, TextModel } from "./catalog/index.ts";
import type { BodyPreview, PreviewOptions } from "./cli/index.ts";
import { type Config, findSecret } from "./config/index.ts";
import { estimateTokens } from "./efficiency/index.ts";
import { type ChatPrompt, compactPrompt, conversationField } from "./generation/index.ts";
import { readPrompt } from "./http/index.ts";

/** Of a model that is not named, or not known here. */
const UNKNOWN = { id: "unknown", capabilities: [] };
/** Its server drops messages itself. */
const FORGETFUL = { id: "forgetful", capabilities: ["context_management"] };

type Settings = {
  readonly config: Pick<Config, "limits" | "privateMediaHosts" | "secret" | "dataDir">;
  /** Null where there is none that could be used. */
  readonly catalog: Pick<Catalog, "models" | "aliases"> | null;
};

/** By the code that a call runs through, and in its order: read as its route does, compacted as on every call. */
export function previewBody(
  json: Uint8Array,
  options: PreviewOptions,
  { config, catalog }: Settings,
): BodyPreview {
  const { level, isMain, references } = options;
  // Without the secret, what clients carry for us is read as if somebody had changed it.
  const secret = findSecret(config) ?? randomUUID();
  const { limits, privateMediaHosts } = config;
  const settings = { ...limits, privateMediaHosts };
  const { modelId, prompt } = readPrompt(json, { isMain, settings, secret });
  const model = references ? (findModel(catalog, modelId) ?? UNKNOWN) : FORGETFUL;
  const { prompt: shown, report } = compactPrompt(
    { prompt, model, efficiency: level, count: estimateTokens },
    { correct: (_model, { tokens }) => tokens },
  );
  return {
    field: conversationField(prompt),
    before: conversationOf(prompt),
    after: conversationOf(shown),
    originalTokens: report.originalEstimatedTokens,
    compactedTokens: report.compactedEstimatedTokens,
    tokensSaved: report.tokensSaved,
    actions: report.actions,
  };
}

/** Whoever may use it. Of the models that an alias stands for, the first. */
function findModel(catalog: Settings["catalog"], id: string): TextModel | null {
  const model = catalog?.models.get(id) ?? catalog?.models.get(catalog.aliases.get(id)?.[0] ?? "");
  return model?.type === "text" ? model : null;
}

/** In the caller's own words, as a server of the same wire gets it. */
function conversationOf(prompt: ChatPrompt): readonly unknown[] | string {
  const { wire, messages } = prompt;
  return wire === undefined
    ? messages
    : (wire.body[conversationField(prompt)] as readonly unknown[] | string);
}
