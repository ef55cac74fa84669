import { parseUuid } from "../../kit/index.ts";

const MAX_SLUG_CHARS = 48;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A slug is never a UUID, so that either can be used to name an organization. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_CHARS && SLUG.test(text) && parseUuid(text) === undefined;
}

/** Letters that no normalization takes apart; without this, Ørsted would become rsted. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** The form of a name for URLs and commands: `Ärzte & Söhne` → `arzte-sohne`. */
export function slugFromName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_CHARS - 8)
    .replace(/^-|-$/g, "");
  if (plain === "") return "org";
  return isSlug(plain) ? plain : `org-${plain}`;
}

/** The n-th attempt for a name that others have, too. */
export function numberedSlug(slug: string, attempt: number): string {
  return attempt === 1 ? slug : `${slug}-${attempt}`;
}
