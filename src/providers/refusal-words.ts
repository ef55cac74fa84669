import type { VideoState } from "./media/media-contract.ts";
import { sanitise } from "./outbound/index.ts";

/**
 * What providers write when the content itself is the reason; few of them have a code for it. Machines fail by a
 * violation, too, know what is case sensitive, and cannot load a safety checker: such words count only beside what
 * makes them ones about content.
 */
const CONTENT_WORDS: readonly RegExp[] = [
  /content[ _-]?(?:policy|filter|moderation|checker)|moderat|nsfw|prohibited|responsible ai|\brai\b|harmful/i,
  // Against somebody's rules; a database has policies of its own.
  /violat\w{0,6}\b(?! row-level)[^.\n]{0,100}(?:polic|guideline|\bterms\b|rules?\b|standards?\b|practices|filters?\b|settings?\b|laws?\b|rights?\b|copyright)/i,
  /(?:polic(?:y|ies)|guidelines?|terms|terms of (?:service|use)|rules?|copyright|safety|content|prompt)[ _-]?violat/i,
  /sensitive[ _-]?(?:content|words?|information|materials?|topics?|subjects?|text|images?|media|language|data)/i,
  /(?:flagged|detected|identified|marked|classified|considered|deemed) (?:as )?sensitive/i,
  /(?:input|output|prompt|content|text|image|video|audio)s? (?:is |are |was |were |may be |new_)?sensitive(?! to\b)/i,
  /safety[ _-]?(?:system|filter|polic|reason|setting|check(?!er)|rule|guideline|guardrail|concern|standard)/i,
  /safety[^.\n]{0,60}(?:block|flag|reject|refus|detect|trigger)|(?:block|flag|reject|refus|detect|trigger)[^.\n]{0,60}safety/i,
  /(?:prompt|content|input|output|image|video|audio|text|lyrics)s? (?:(?:is|are|was|were|has been|have been) )?flagged/i,
  // A code: all of a message, or a word of its own in capitals.
  /^\W*(?:safety|sensitive)\W*$/i,
  /(?:\b|_)SAFETY\b/,
];

export function isContentRefusal(text: string): boolean {
  const beginning = text.slice(0, 4_000);
  return CONTENT_WORDS.some((words) => words.test(beginning));
}

/** The end of a video that a provider gave up; `text` is its own, unwashed. */
export function failedVideo(text: string, secrets: readonly string[], isRejected = false): VideoState {
  const plain = isRejected ? "rejected" : "provider_error";
  return {
    state: "failed",
    reason: isContentRefusal(text) ? "content_filter" : plain,
    message: sanitise(text, secrets) || "The model's provider could not make this video.",
  };
}
