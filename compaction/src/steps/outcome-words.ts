/** Success of a test or task. */
const WELL = /pass|[✓✔]/giu;
/** Failure, or something close to it. */
const UNWELL =
  /abort|broken|cannot|conflict|corrupt|crash|denied|error|exception|fail|fatal|invalid|missing|panic|refuse|reject|retry|skip|timed?[ -]?out|unable|warn|wrong|[✕-✘❌⚠]/giu;
/** Outcomes, good and bad, as whole words. */
const WENT =
  "ok|up|online|active|alive|ready|running|healthy|started|done|pass(?:ed|ing)?|success|succeeded|fail(?:ed|ing|ure)?|errors?|errored|down|offline|inactive|dead|stopped|exited|crashed|unhealthy|missing|skipped";
/**
 * What else distinguishes a line from its neighbour: levels, answers, and what happened to something. (`SAYS` adds
 * percentages, and numbers in cells.)
 */
const TELLING =
  "critical|severe|alert|emergency|traceback|yes|no|not|true|false|on|off|enabled|disabled|open|closed|added|removed|created|deleted|inserted|changed";
const FIRST = new RegExp(String.raw`^\s*(${WENT})(?![\p{L}\p{N}_.-])`, "iu");
const SAYS = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.-])(?:${WENT}|${TELLING})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])|\d ?%|\|\s*\d`,
  "iu",
);

/** The first word of a text, if it states an outcome. */
export function outcomeAtStart(text: string): string {
  return FIRST.exec(text)?.[1]?.toLowerCase() ?? "";
}

/** Whether a line states an outcome in words, signs or numbers. Bound: it is read three times. */
export function saysOutcome(line: string): boolean {
  return SAYS.test(line) || line.search(UNWELL) >= 0 || line.search(WELL) >= 0;
}
