/** What somebody who says a tool's name wants: that it is called, that it is not, or neither can be told. */
export type Wish = "called" | "left" | "unclear";

export type Wishes = (at: number) => Wish;

const MAX_CHARACTERS_BEFORE = 200;

const oneOf = (...words: readonly string[]) => `(?:${words.join("|")})`;

/** All the words that decide, as parts of expressions. */
const WORDS = {
  /** What follows is not to be done. */
  no: oneOf(
    "not|never|nobody|no one|cannot|cant|dont|\\w+n['’]t|without|no need|no longer",
    "refus\\w+|avoid\\w*|undo|revert|prevent\\w*|forbid\\w*|instead of|rather than",
  ),
  /** What follows is a text to be worked on. */
  material: oneOf(
    "summari[sz]e|translate|explain|quote|rewrite|rephrase|paraphrase|proofread|define|describe|compare|discuss|repeat",
  ),
  /** Somebody else's words, where a colon follows. */
  quoted: oneOf("said|says|asked|told|wrote|writes"),
  /** What is asked is no deed. */
  asking: oneOf("how|what|when|where|which|who|why|whether"),
  /** May stand right before what is to be done. */
  lead: oneOf(
    "please|kindly|and|then|now|also|just|next|first|finally|(?:we|you) (?:should|must)|let['’]?s|let us|help me(?: to)?",
    "(?:can|could|would|will) you|(?:make sure|be sure|try|remember|your (?:task|job) is) to",
    "(?:^|(?:i|we|you)(?:['’]d| would)?(?: really)? )(?:want|need|like|love|have|wish)(?: you)? to",
    "(?:use|call|run|invoke) [^,]{1,60} to",
  ),
  /** Begins a clause that tells or asks what somebody does. */
  subject: oneOf(
    "the|an?|this|that|these|those|my|our|his|her|their|its?|he|she|they|we|i|you|is|are|was|were|do|does|did",
    "every\\w*|some\\w*|any\\w*|no",
    "\\w+ (?:will|would|may|might|can|could|must|should|has|had|have|is|was|\\w+ed)",
  ),
  /** Such a clause that wants it done all the same. */
  wish: oneOf(
    "(?:i|we)(?:['’]d| would)?(?: really)? (?:want|need|like|love|have|wish)|(?:we|you) (?:should|must|need)",
  ),
};

const NO = new RegExp(`\\b${WORDS.no}\\b`, "i");
const MATERIAL = new RegExp(`\\b${WORDS.material}\\b`, "i");
const MATERIAL_FOLLOWS = new RegExp(
  `\\b${WORDS.material}\\b[^.!?\\n]{0,120}?(?::|\\b(?:this|following|below)\\b)|\\b${WORDS.quoted}\\b[^.!?\\n]{0,120}?:`,
  "i",
);
const ASKING = new RegExp(`\\b${WORDS.asking}\\b`, "i");
const LED = new RegExp(`\\b${WORDS.lead}[\\s"'\`“*_>-]*$`, "i");
const SUBJECT = new RegExp(`^\\W*${WORDS.subject}\\b`, "i");
const WISH = new RegExp(`\\b(?:${WORDS.wish}|please)\\b`, "i");

const REFUSED = new RegExp(
  `\\b${WORDS.no}\\s(?:(?:ever|to|want|need)\\s){0,2}(?:(?!(?:know|have|see|remember|find)\\b)[\\w-]+\\s)?(?:(?:the|an?|any|my|your|this|that)\\s)?["'\`“]?$`,
  "i",
);
const ASKED_ABOUT = /\b(?:what|how) (?:do|does|can|is|are)\s(?:the\s)?["'`“]?$/i;

/** Whether a name or a subject there is plainly not wanted: refused, asked about, or within a text to be worked on. */
export function isUnwanted(text: string, at: number, isName: boolean): boolean {
  const before = text.slice(Math.max(0, at - MAX_CHARACTERS_BEFORE), at);
  return REFUSED.test(before) || (isName ? ASKED_ABOUT : MATERIAL_FOLLOWS).test(before);
}

/**
 * A name is a wish at the start of a clause or behind a word that asks for it, in the imperative: not where its sentence
 * says no or is about a text, nor where the clause tells what somebody does.
 */
export function createWishes(text: string): Wishes {
  const materialAt = MATERIAL_FOLLOWS.exec(text)?.index ?? text.length;
  return (at) => {
    if (at > materialAt) return "left";
    const before = text.slice(Math.max(0, at - MAX_CHARACTERS_BEFORE), at);
    // The points of a list belong to the sentence that leads to them.
    const sentence = before.split(/[.!?;]|\n(?!\s*[-*•])/).at(-1) ?? "";
    if (NO.test(sentence) || MATERIAL.test(sentence.split(/\bthen\b/i).at(-1) ?? "")) return "left";
    const clause = (sentence.split(/[,:\n(]/).at(-1) ?? "").trimStart();
    if (!/[\p{L}\d]/u.test(clause)) return "called";
    const isTold = ASKING.test(clause) || (SUBJECT.test(clause) && !WISH.test(clause));
    return LED.test(clause) && !isTold ? "called" : "unclear";
  };
}
