/** Phrases with which providers refuse content; few have an error code for it. */
const CONTENT_WORDS =
  /content[ _-]?(?:policy|filter|moderation|checker)|safety|moderat|nsfw|sensitive|prohibited|responsible ai|\brai\b|harmful|violat|(?:prompt|content|input|output|image|video|audio|text|lyrics)s? (?:(?:is|are|was|were|has been|have been) )?flagged/i;

/** The same words in a technical sense. Any other occurrence counts as a refusal. */
const MACHINE_WORDS = new RegExp(
  [
    /\b(?:segmentation|access|sharing) violation/,
    /violat\w{0,4} (?:the )?(?:unique|foreign key|check|not-null|exclusion) constraint/,
    /violation of (?:primary|unique|foreign) key constraint/,
    /\bconstraint violation/,
    /violat\w{0,4} row-level security/,
    /\bcase[- ](?:in)?sensitive/,
    /\b(?:latency|time)-sensitive/,
    /\bthread safety/,
    /\b(?:load|connect|download)(?:ing)?\b[^.,:;\n]{0,40}safety[-_ ]?checker/,
    /safety[-_ ]?checker(?:_url|[^.,:;\n]{0,40}\b(?:load|connect|download)(?:ed|ing)?\b)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

export function isContentRefusal(text: string): boolean {
  return CONTENT_WORDS.test(text.slice(0, 4_000).replace(MACHINE_WORDS, " "));
}
