/** Optional words in sequence, each at most once, so that no text makes the search scan a line more than twice. */
const ASKED =
  /^\W{0,3}(?:if [^,\n]{1,40}, )?(?:please )?(?:just |only )?(say|repeat|echo|reply|respond|answer)(?: back)?(?: after me)?(?: exactly| only| just)?(?: with)?(?: exactly| only| just)?((?: the| this)?(?: following)?(?: single| one| exact| valid)? (?:words?|number|phrase|text|sentence|JSON)\b| the following\b)?(:?)\s+(\S.{0,500})$/is;

/** "Say what you think" wants an opinion, and "reply with a joke" a joke: neither is to be repeated. */
const NOT_LITERAL =
  /^(?:(?:what|who|how|why|when|where|which|if|in|to|as|me|us|my|your|an?|the|questions?|something|nothing|no more)\b|(?:it|that)\b(?! (?:is|was|will)\b)|(?:this|please|json)\W*$)/i;
/** Not to be repeated literally: "hello in Spanish", "yes or no", "hi and then list three colours", "hello 3 times". */
const NOT_ALL = / (?:in (?:\d|\p{Lu})|or |and then |and list |\S+ times\b)/u;
const BESIDE =
  /(?:,? (?:and|but) nothing (?:else|more)|,? if (?:you|this|it|everything) [^.!?\n]{1,60})\W{0,3}$/i;
const QUOTED = /^(["'`“])([^"`“”]*)["'`”][.!]?$/s;

/** Repeats what the prompt dictates, as connection tests like to ask; null if it dictates nothing. */
export function answerRepeat(text: string): string | null {
  const [, verb = "", noun = "", colon = "", words] = ASKED.exec(text) ?? [];
  if (words === undefined) return null;
  const dictated = words.trim().replace(BESIDE, "");
  const quoted = QUOTED.exec(dictated)?.[2];
  // What follows "answer with one word:" is the question.
  const isQuestion =
    /^answer$/i.test(verb) &&
    (colon !== "" || (noun === "" && !/^\w+\W?$/.test(dictated)) || /\?$/.test(dictated));
  if (quoted === undefined && isQuestion) return null;
  if (quoted === undefined && colon === "" && (NOT_LITERAL.test(dictated) || NOT_ALL.test(dictated))) {
    return null;
  }
  // A dot after a single word belongs to the request.
  return `The sandbox says: ${quoted ?? dictated.replace(/^(\w+)\.$/, "$1")}`;
}
