/**
 * What is requested, sentence by sentence. A tool may be mentioned in three ways, each checked here: by a verb ("delete
 * the user"), by its written name (`delete_user`), or by a subject to be looked up ("the weather in Paris"). It is not
 * requested if the sentence negates it, is about it, or tells what somebody does, nor within a text to be worked on.
 */
export type RequestedActions = {
  /** Whether the word there is a verb in the imperative. */
  isDeed(at: number): boolean;
  /** Whether a name written as code is to be called: after "use" or "with", to start a clause, before its arguments. */
  isCalled(at: number, end: number): boolean;
  /** Whether a subject is asked for: as information, or else explicitly ("I want a refund"). */
  isAsked(at: number, end: number, tells: boolean): boolean;
  /** Whether something is to be spared, so that it is not clear that changes are wanted there. */
  isSparing(at: number, passesText: boolean): boolean;
};

const MAX_CHARACTERS_BEFORE = 400;
const MAX_CHARACTERS_AFTER = 200;

const oneOf = (...words: readonly string[]) => `(?:${words.join("|")})`;

/** All deciding words, as parts of expressions. */
const WORDS = {
  /** What follows is not to be done. */
  no: oneOf(
    "not|never|nobody|no one|cannot|cant|dont|\\w+n['’]t|without|no need|no longer",
    "refus\\w+|avoid\\w*|undo|revert|prevent\\w*|forbid\\w*",
    "(?:instead of|rather than)(?!.*\\b(?:use|call|run)\\b)",
  ),
  /** What follows is a text to be worked on. */
  material: oneOf(
    "summari[sz]e|translate|explain|quote|rewrite|rephrase|paraphrase|proofread|define|describe|discuss|repeat",
  ),
  /** What follows is code to be worked on, or talk about it. */
  work: oneOf(
    "document|rename|refactor|test|fix|review|debug|mock|implement|port|compare|write|tell me|show me|give me",
  ),
  /** Somebody else's words, if a colon follows. */
  quoted: oneOf("said|says|asked|told|wrote|writes"),
  /** Something is pasted below, if a colon ends the line. */
  shown: oneOf("here(?:['’]s| is| are)|log|output|trace|error|code"),
  /** Asks for information, not for an action. */
  asking: oneOf("how|what|when|where|which|who|why|whether"),
  /** A question about what to do, or whether to do it. */
  about: oneOf(
    "(?:how|what|when|where) (?:do|does|did|can|could|would|should|to|if|happens?|happened)|why|who|whose|whether|which",
    "(?:can|could|may|might|must|should|do|does|did|will|would|has|have|had|is|are|was|were)(?! (?:you|not)\\b)",
  ),
  /** May directly precede the requested action. */
  lead: oneOf(
    "please|kindly|and|then|now|also|just|next|first|finally|(?:we|you) (?:should|must|can|may)|let['’]?s|let us|help me(?: to)?",
    "(?:can|could|would|will) you|(?:make sure|be sure|try|remember|forget|hesitate|your (?:task|job) is) to",
    "(?:^|(?:i|we|you)(?:['’]d| would)?(?: really)? )(?:want|need|like|love|have|wish)(?: you)? to",
  ),
  /** May precede it as well, and names the tool to use. */
  means: "(?:use|call|run|invoke) [^,]{1,60} to",
  /** Directly before the name of a tool to be called. */
  use: oneOf(
    "use|call|run|invoke|execute|try|need|want|using|with|via|through|bitte|verwende|nutze|benutze|utilise[rz]?|usa|usar|utiliza",
  ),
  /** Begins a clause that states or asks what somebody does. */
  subject: oneOf(
    "the|an?|this|that|these|those|my|our|his|her|their|its?|he|she|they|we|i|you|is|are|was|were|do|does|did",
    "every\\w*|some\\w*|any\\w*|no|if(?! (?:you can|possible|needed))|unless|before|until|in case",
    "\\w+ (?:will|would|may|might|can|could|must|should|has|had|have|is|was|\\w+ed)",
  ),
  /** Such a clause that is a request even so. */
  wish: oneOf(
    "(?:i|we)(?:['’]d| would)?(?: really)? (?:want|need|like|love|have|wish)|(?:we|you) (?:should|must|need|can|may)",
  ),
  /** States what something is or did. */
  finite: oneOf(
    "is|are|was|were|be|been|has|had|have|does|did|got|gets|went|fell|made|makes|seems?|looks|feels?|became|shows?",
    "can|could|will|would|should|may|might|must|fails?|returns?|throws?|works?|\\w{3,}ed",
  ),
  /** Before a noun, without changing what is meant. */
  article: oneOf(
    "(?:status|state|details) of|the|an?|my|our|your|this|that|its|current|currently|latest|local|today['’]s|exact|actual",
  ),
};

const SPARING =
  /(?<![\w-])(?:except\w*|but|keep\w*|other than|apart from|without|not|cannot|\w+n['’]t|never|instead(?! of)|rather|if(?! possible)|unless|until|once|as soon as|(?:when|after|before) (?:i|you|we|he|she|it|they)|idea)(?![\w-])/i;
const QUOTED = /"[^"\n]*"|(?<=^|\s)'[^'\n]*'(?=\W|$)|“[^“”\n]*”|`[^`\n]*`/g;
/** Text after these is passed on verbatim; nothing in it is a request. */
const PASSED_ON = /(?:\b(?:saying|containing|that|about|with the (?:text|content|message))\b|:\s).*$/is;

const START = "(?:^|[,:(\\n])\\W*";
const word = (source: string) => new RegExp(`\\b${source}\\b`, "i");

const NO = word(WORDS.no);
/** Negations that do not negate an action. */
const NO_MATTER =
  /\b(?:do|does|did|could|ca)(?: not|n['’]t) (?=(?:know|have|see|remember|find|forget|hesitate)\b)/gi;
const MATERIAL = word(WORDS.material);
const MATERIAL_FOLLOWS = new RegExp(
  `\\b${WORDS.material}\\b[^.!?\\n]{0,120}?(?::|\\b(?:this|following|below)\\b)|\\b${WORDS.quoted}\\b[^.!?\\n]{0,120}?:|\\b${WORDS.shown}\\b[^.!?\\n]{0,60}:[ \\r]*\\n`,
  "i",
);
const LEADS = `(?:${WORDS.lead}\\W+){0,8}`;
/** One means at most: "use a to use b to …" can be parsed in many ways, and each further one doubles them. */
const WORK = new RegExp(`^\\W*${LEADS}(?:${WORDS.means}\\W+)?${LEADS}${WORDS.work}\\b`, "i");
const ASKS = new RegExp(`^\\W*${WORDS.asking}\\b`, "i");
const ABOUT = new RegExp(`${START}(?:(?:and|so|but|then|ok|hey|hi) )?${WORDS.about}\\b`, "i");
const BEFORE_NAME = "[\\s\"'`“*_>-]*$";
const LED = new RegExp(`\\b${oneOf(WORDS.lead, WORDS.means)}${BEFORE_NAME}`, "i");
const USED = new RegExp(`\\b${WORDS.use}\\s(?:(?:the|your|my|this|that)\\s)?${BEFORE_NAME}`, "i");
/** Text in a non-Latin script, which may say what our words do. */
const FOREIGN = /[^\P{L}\p{Script=Latin}]["'`“\s]*$/u;
const SUBJECT = new RegExp(`^\\W*${WORDS.subject}\\b`, "i");
const WISH = word(`(?:${WORDS.wish}|please)`);
const IS_TOLD = new RegExp(`^["'\`”]?,?:?\\s${WORDS.finite}\\b(?!\\s?[:=])`, "i");

/** "What is", "tell me about": before the subject of a question. */
const TOLD_OF = oneOf(
  "(?:what|how|where|which|when|who)(?:['’]s| is| are| was| will| about| can i (?:get|find|see))?",
  "(?:tell|give|show|get|fetch|check|find|look up|know|see|compare|report|retrieve|display|view|want|need|have)(?: me| us| out)?(?: about)?",
);
const THING = new RegExp(
  `(?:\\b(${TOLD_OF}) |${START}|\\b(?:and|or|also|plus|please|hi|hello|hey|now|so) )(?:${WORDS.article} )*["'“]?$`,
  "i",
);
const WANTED = new RegExp(`\\b(?:want|need|(?:['’]d|would) (?:like|love)) ${WORDS.article} $`, "i");
const ASKED_FOR = /^[^.!?,]{0,80}\b(?:please|for me)\b/i;
/** The noun phrase ends here; a further noun would change its meaning: "the time complexity". */
const THING_ENDS = new RegExp(
  `^(?:["'”]?[^\\w\\s]|$|\\s(?:$|[\\d#"'\`(–-]|\\p{Lu}|(?:${WORDS.finite}|and|or|in|of|for|at|near|to|from|on|about|between|by|with|using|via|please|now|right|today|tomorrow|tonight|this|next|there|here|like|looking|report|forecast|as|do)\\b))`,
  "u",
);
/** "The weather in Paris was bad." */
const TOLD_AFTER = new RegExp(`^(?:(?!\\b(?:what|how)\\b)[^.!?])*?\\b${WORDS.finite}\\b`, "i");

/**
 * "St. Louis" does not end a sentence; bullet points belong to the sentence before them. Adjacent marks are one end.
 */
export const SENTENCE_END =
  /(?<![.!?;]|\b(?:St|Mt|Dr|Mr|Mrs|Ms|vs|No|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?=[.!?;](?![.!?;])))[.!?;]+["'”)\]]*(?=\s|$)|\n(?![^\S\n]*[-*•])/g;

type Surroundings = { readonly before: string; readonly after: string; readonly isQuestion: boolean };

export function createRequestedActions(text: string): RequestedActions {
  const materialAt = MATERIAL_FOLLOWS.exec(text)?.index ?? text.length;
  const ends = [...text.matchAll(SENTENCE_END)].map(({ 0: mark, index }) => ({
    index,
    after: index + mark.length,
    mark,
  }));

  function around(at: number, end: number): Surroundings {
    const start = ends.findLast(({ after }) => after <= at)?.after ?? 0;
    const stop = ends.find(({ index }) => index >= end);
    return {
      before: text.slice(Math.max(start, at - MAX_CHARACTERS_BEFORE), at),
      after: text.slice(end, Math.min(stop?.index ?? text.length, end + MAX_CHARACTERS_AFTER)),
      isQuestion: stop?.mark.includes("?") === true,
    };
  }

  /** Whether the sentence before it neither negates it nor makes it material to be worked on. */
  function isOpen(at: number, { before }: Surroundings): boolean {
    if (at > materialAt) return false;
    const said =
      before
        .split(/\bbut\b/i)
        .at(-1)
        ?.replace(NO_MATTER, "") ?? "";
    return !NO.test(said) && !MATERIAL.test(said);
  }

  function isAbout({ before, isQuestion }: Surroundings): boolean {
    return isQuestion
      ? ABOUT.test(before) || /^\W*(?:we|i) should\b/i.test(before)
      : ABOUT.test(clauseOf(before));
  }

  /** The clause states what somebody does and requests nothing. */
  function isTold(clause: string): boolean {
    return SUBJECT.test(clause) && !WISH.test(clause) && !ASKS.test(clause);
  }

  return asOnce({
    isDeed(at) {
      const place = around(at, at);
      if (!isOpen(at, place) || isAbout(place)) return false;
      if (/^\W*(?:if|unless|before|until)\b/i.test(place.before)) return false;
      if (/["“]$/.test(place.before) && /^[^"”]{1,200}["”]\s+\w/.test(text.slice(at, at + 240))) return false;
      const clause = clauseOf(place.before);
      if (!/[\p{L}\d]/u.test(clause)) return true;
      return LED.test(clause) && !isTold(clause);
    },
    isCalled(at, end) {
      const place = around(at, end);
      const [clause, isCode] = [clauseOf(place.before), isWrittenAsCode(text.slice(at, end))];
      if (!isOpen(at, place) || isAbout(place) || isTold(clause)) return false;
      if (USED.test(clause)) return true;
      if (!isCode || WORK.test(place.before) || IS_TOLD.test(place.after)) return false;
      return (
        !/[\p{L}\d]/u.test(clause) ||
        LED.test(clause) ||
        FOREIGN.test(clause) ||
        /^[({:"'`]/.test(place.after)
      );
    },
    isAsked(at, end, tells) {
      const place = around(at, end);
      if (!isOpen(at, place)) return false;
      const { before, after } = place;
      const thing = THING.exec(before);
      if (WANTED.test(before) || (thing !== null && ASKED_FOR.test(after))) return true;
      if (thing === null || !tells || !THING_ENDS.test(after)) return false;
      if (thing[1] !== undefined) return !/\ban? $/i.test(before);
      return !TOLD_AFTER.test(after);
    },
    isSparing(at, passesText) {
      const { before, after } = around(at, at);
      // What "delete them" refers to is said elsewhere, and so may be its exceptions.
      const sentence = /[\d"“'`/@.]|\s\p{Lu}/u.test(after) ? before + after : text;
      const plain = sentence.replace(QUOTED, "");
      return SPARING.test(passesText ? plain.replace(PASSED_ON, "") : plain);
    },
  });
}

/** Memoised: hundreds of tools ask the same about one place. */
function asOnce(requested: RequestedActions): RequestedActions {
  const known = new Map<string, boolean>();
  const once = (question: string, answer: () => boolean): boolean => {
    const said = known.get(question) ?? answer();
    known.set(question, said);
    return said;
  };
  return {
    isDeed: (at) => once(`deed ${at}`, () => requested.isDeed(at)),
    isCalled: (at, end) => once(`called ${at} ${end}`, () => requested.isCalled(at, end)),
    isAsked: (at, end, tells) => once(`asked ${at} ${end} ${tells}`, () => requested.isAsked(at, end, tells)),
    isSparing: (at, passesText) =>
      once(`sparing ${at} ${passesText}`, () => requested.isSparing(at, passesText)),
  };
}

function clauseOf(before: string): string {
  return (before.split(/[,:\n(]|\bbut\b/i).at(-1) ?? "").trimStart();
}

/** `delete_user`, `getWeather`: not a word of a natural language. */
export function isWrittenAsCode(name: string): boolean {
  return /[_\d]|[a-z][A-Z]|\w-\w/.test(name);
}
