/** Optional words one after the other, each at most once: no text makes this search more than a line twice. */
const ASKED =
  /^\W{0,3}(?:please )?(?:just )?(?:say|repeat|echo|reply|respond|answer)(?: back)?(?: after me)?(?: with)?(?: exactly| only| just)?(?: the)?(?: following)?(?:(?: single| one| exact)? (?:words?|phrase|text|sentence))?:?\s+(\S.{0,500})$/is;

/** "Say what you think" wants an opinion, and "answer the question" an answer: neither is to be repeated. */
const NOT_LITERAL =
  /^(?:what|who|how|why|when|where|which|if|in|to|as|my|your|this question|questions?|something)\b/i;

/** Says what the prompt dictates, as connection tests like to ask; null when it dictates nothing. */
export function answerRepeat(text: string): string | null {
  const dictated = ASKED.exec(text)?.[1]?.trim();
  if (dictated === undefined || NOT_LITERAL.test(dictated)) return null;
  return `The sandbox says: ${dictated.replace(/^(["'`“])(.*)["'`”][.!]?$/s, "$2")}`;
}
