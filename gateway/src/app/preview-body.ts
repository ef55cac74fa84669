import { randomUUID } from "node:crypto";
import { estimateTokens } from "../../../compaction/src/index.ts";
import type { Catalog, TextModel } from "../catalog/index.ts";
import type { BodyPreview, PreviewOptions } from "../cli/index.ts";
import { type Config, findSecret } from "../config/index.ts";
import { type ChatPrompt, compactedPromptSteps, conversationField } from "../generation/index.ts";
import { readPrompt } from "../http/index.ts";
import { finishSteps } from "../kit/index.ts";

/** Stands in for a model that is not named, or not in the catalog. */
const UNKNOWN = { id: "unknown", capabilities: [] };
/** Stands in for any model whose server drops old messages itself, so compaction must not refer back to them. */
const FORGETFUL = { id: "forgetful", capabilities: ["context_management"] };

type Settings = {
  readonly config: Pick<Config, "limits" | "privateMediaHosts" | "secret" | "dataDir">;
  /** Null if no usable catalog could be loaded. */
  readonly catalog: Pick<Catalog, "models" | "aliases"> | null;
};

/** Runs the code of a real call, in the same order: read like its route reads it, compacted like every call. */
export function previewBody(
  json: Uint8Array,
  options: PreviewOptions,
  { config, catalog }: Settings,
): BodyPreview {
  const { level, isMain, references } = options;
  // With a random secret, whatever clients carry for us (sealed ids, sealed reasoning) reads as tampered with.
  const secret = findSecret(config) ?? randomUUID();
  const { limits, privateMediaHosts } = config;
  const settings = { ...limits, privateMediaHosts };
  const { modelId, prompt } = readPrompt(json, { isMain, settings, secret });
  const model = references ? (findModel(catalog, modelId) ?? UNKNOWN) : FORGETFUL;
  const { prompt: shown, report } = finishSteps(
    compactedPromptSteps(
      { prompt, model, efficiency: level, count: estimateTokens },
      { correct: (_model, { tokens }) => tokens },
    ),
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

/** Ignores who may use the model. For an alias, takes the first of its models. */
function findModel(catalog: Settings["catalog"], id: string): TextModel | null {
  const model = catalog?.models.get(id) ?? catalog?.models.get(catalog.aliases.get(id)?.[0] ?? "");
  return model?.type === "text" ? model : null;
}

/** The conversation as the caller wrote it, and as a server of the same wire would get it. */
function conversationOf(prompt: ChatPrompt): readonly unknown[] | string {
  const { wire, messages } = prompt;
  return wire === undefined
    ? messages
    : (wire.body[conversationField(prompt)] as readonly unknown[] | string);
}
