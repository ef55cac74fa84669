/** Optional words one after the other, each at most once: no text makes this search more than a line twice. */
const ASKED =
  /^\W{0,3}(?:please )?(?:just )?(?:say|repeat|echo|reply|respond|answer)(?: back)?(?: after me)?(?: exactly| only| just)?(?: with)?(?: exactly| only| just)?(?: the)?(?: following)?(?:(?: single| one| exact)? (?:words?|number|phrase|text|sentence))?:?\s+(\S.{0,500})$/is;

/** "Say what you think" wants an opinion, and "answer the question" an answer: neither is to be repeated. */
const NOT_LITERAL =
  /^(?:(?:what|who|how|why|when|where|which|if|in|to|as|my|your|this question|questions?|something|(?:yes|true) or (?:no|false))\b|(?:it|that)(?: again)?\W{0,3}$)/i;
const NOTHING_ELSE = /,? (?:and|but) nothing (?:else|more)\W{0,3}$/i;

/** Says what the prompt dictates, as connection tests like to ask; null when it dictates nothing. */
export function answerRepeat(text: string): string | null {
  const dictated = ASKED.exec(text)?.[1]?.trim();
  if (dictated === undefined || NOT_LITERAL.test(dictated)) return null;
  // The dot behind one word is of the request.
  const plain = dictated.replace(NOTHING_ELSE, "").replace(/^(\w+)\.$/, "$1");
  return `The sandbox says: ${plain.replace(/^(["'`“])(.*)["'`”][.!]?$/s, "$2")}`;
}
