/** The words by which models are told how hard to think; none at all where they refuse to be told. */
export type ModelEfforts = {
  readonly models: RegExp;
  /** Of two that are equally near to what is asked for, the first is sent. */
  readonly efforts: readonly string[];
};

const NONE: ModelEfforts["efforts"] = [];

/**
 * Small 4 and Medium 3.5 think if they are told to; what came before them never does, or always (Magistral). Who asks for
 * little thinking still asks for some.
 */
export const MISTRAL_EFFORTS: readonly ModelEfforts[] = [
  { models: /^(?:mistral-large|codestral|ministral|devstral|magistral|pixtral|open-mi)/, efforts: NONE },
  { models: /^mistral-(?:small|medium)-2[0-5]\d\d$/, efforts: NONE },
  { models: /^mistral-(?:small|medium)(?:-|$)/, efforts: ["high", "none"] },
];

/** As console.groq.com/docs/reasoning has them. */
export const GROQ_EFFORTS: readonly ModelEfforts[] = [
  { models: /gpt-oss/, efforts: ["low", "medium", "high"] },
  { models: /qwen3/, efforts: ["default", "none"] },
  { models: /llama|kimi-k2-instruct|gemma/, efforts: NONE },
];

/** As docs.x.ai has them. To the multi-agent Grok it is the number of agents: that one is told what the caller says. */
export const XAI_EFFORTS: readonly ModelEfforts[] = [
  { models: /^grok-3-mini/, efforts: ["low", "high"] },
  { models: /^grok-4\.3/, efforts: ["low", "none", "medium", "high"] },
  { models: /^grok-4\.5/, efforts: ["low", "medium", "high"] },
  { models: /^grok-(?:3|4|4-.*|4\.20(?!-multi).*|code-.*)$/, efforts: NONE },
];
