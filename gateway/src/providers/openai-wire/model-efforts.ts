/** The reasoning efforts that some models accept; empty if they accept none. */
export type ModelEfforts = {
  readonly models: RegExp;
  /** If two are equally near to the requested effort, the first is sent. */
  readonly efforts: readonly string[];
};

const NONE: ModelEfforts["efforts"] = [];

/**
 * Small 4 and Medium 3.5 reason if they are told to; earlier models never do, or always (Magistral). A low effort still
 * means some reasoning.
 */
export const MISTRAL_EFFORTS: readonly ModelEfforts[] = [
  { models: /^(?:mistral-large|codestral|ministral|devstral|magistral|pixtral|open-mi)/, efforts: NONE },
  { models: /^mistral-(?:small|medium)-2[0-5]\d\d$/, efforts: NONE },
  { models: /^mistral-(?:small|medium)(?:-|$)/, efforts: ["high", "none"] },
];

/** As documented at console.groq.com/docs/reasoning. */
export const GROQ_EFFORTS: readonly ModelEfforts[] = [
  { models: /gpt-oss/, efforts: ["low", "medium", "high"] },
  { models: /qwen3/, efforts: ["default", "none"] },
  { models: /llama|kimi-k2-instruct|gemma/, efforts: NONE },
];

/** As documented at docs.x.ai. The multi-agent Grok gets what the caller says: there it is the number of agents. */
export const XAI_EFFORTS: readonly ModelEfforts[] = [
  { models: /^grok-3-mini/, efforts: ["low", "high"] },
  { models: /^grok-4\.3/, efforts: ["low", "none", "medium", "high"] },
  { models: /^grok-4\.5/, efforts: ["low", "medium", "high"] },
  { models: /^grok-(?:3|4|4-.*|4\.20(?!-multi).*|code-.*)$/, efforts: NONE },
];
