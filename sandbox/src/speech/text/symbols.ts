/** Characters that Unicode compatibility forms would change in meaning (½ is not 12), so they are replaced first. */
const BEFORE_FOLDING: readonly (readonly [RegExp, string])[] = [
  [/(\d) ?½/g, "$1 and one half"],
  [/(\d) ?¼/g, "$1 and one quarter"],
  [/(\d) ?¾/g, "$1 and three quarters"],
  [/½/g, " one half "],
  [/¼/g, " one quarter "],
  [/¾/g, " three quarters "],
  [/⅓/g, " one third "],
  [/⅔/g, " two thirds "],
  [/(?<=\w)(?<!\d ?[ck]?m)²/g, " squared "],
  [/(?<=\w)(?<!\d ?c?m)³/g, " cubed "],
  [/℃/g, "°C"],
  [/℉/g, "°F"],
  [/№/g, "No. "],
  [/[™®]/g, ""],
  [/©/g, " copyright "],
  [/…/g, "... "],
  [/[“”„«»「」『』]/g, '"'],
  [/[‘’‚′]/g, "'"],
  [/[\u200b-\u200f\u2060\ufeff\u00ad]/g, ""],
];

export function nameSymbolsFirst(text: string): string {
  return BEFORE_FOLDING.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/&/g, " and "],
  [/(?<=\w) {0,3}\+ {0,3}(?=\w)/g, " plus "],
  [/\+\+/g, " plus plus "],
  [/=>|->|→|⇒|⟶/g, " to "],
  [/←/g, " from "],
  [/<=|≤/g, " is at most "],
  [/>=|≥/g, " is at least "],
  [/!=|≠/g, " is not "],
  [/={1,3}/g, " equals "],
  [/≈/g, " is about "],
  [/~(?=\d)/g, " about "],
  [/±/g, " plus or minus "],
  [/×/g, " times "],
  [/÷/g, " divided by "],
  [/(?<=\w ?)\*(?= ?\w)/g, " times "],
  [/(?<=\d ?)\^(?= ?\d)/g, " to the power of "],
  [/√/g, " the square root of "],
  [/∞/g, " infinity "],
  [/π/g, " pi "],
  [/<(?= ?\d)/g, " less than "],
  [/>(?= ?\d)/g, " more than "],
  [/%/g, " percent "],
  [/°/g, " degrees "],
  [/§+/g, " section "],
  [/€/g, " euros "],
  [/£/g, " pounds "],
  [/\$/g, " dollars "],
  [/@/g, " at "],
  [/#(?=\w)/g, " number "],
  [/\band\/or\b/gi, "and or"],
  [/\b24\/7\b/g, "twenty four seven"],
  [/(?<=[a-z])\/(?=[a-z])/gi, " or "],
  [/ ?[–—] ?| - /g, ", "],
];

/** Symbols that are spoken; all others are silent. */
export function nameSymbols(text: string): string {
  return NAMES.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
}
