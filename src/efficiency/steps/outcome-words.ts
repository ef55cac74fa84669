/** Of a test or of work, that it went well. */
export const WELL = /pass|[✓✔]/giu;
/** That it did not, in whatever word. */
export const UNWELL =
  /abort|broken|cannot|conflict|corrupt|crash|denied|error|exception|fail|fatal|invalid|missing|panic|refuse|reject|retry|skip|timed?[ -]?out|unable|warn|wrong|[✕-✘❌⚠]/giu;
/** Of what is well, and what is not, as words of their own. */
const WENT =
  "ok|up|online|active|alive|ready|running|healthy|started|done|pass(?:ed|ing)?|success|succeeded|fail(?:ed|ing|ure)?|errors?|errored|down|offline|inactive|dead|stopped|exited|crashed|unhealthy|missing|skipped";
/** What else tells a line from its neighbour: levels, answers, what became of something, shares, and numbers in cells. */
const TELLING =
  "critical|severe|alert|emergency|traceback|yes|no|not|true|false|on|off|enabled|disabled|open|closed|added|removed|created|deleted|inserted|changed";
const FIRST = new RegExp(String.raw`^\s*(${WENT})(?![\p{L}\p{N}_.-])`, "iu");
const SAYS = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.-])(?:${WENT}|${TELLING})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])|\d ?%|\|\s*\d`,
  "iu",
);

/** The word that a text begins with, if it says how something went. */
export function outcomeAtStart(text: string): string {
  return FIRST.exec(text)?.[1]?.toLowerCase() ?? "";
}

/** Whether a line says in words, marks or numbers how something went. Bound: it is read three times. */
export function saysOutcome(line: string): boolean {
  return SAYS.test(line) || line.search(UNWELL) >= 0 || line.search(WELL) >= 0;
}
