import { isIP } from "node:net";

/** The environment as given to the process. An empty value counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type WholeNumberRange = { readonly min: number; readonly max: number; readonly fallback: number };

/** Visible ASCII without spaces, as a header allows. Catches the line break at the end of a pasted key. */
const TOKEN = /^[\x21-\x7e]+$/;

const MAX_SHOWN_CHARACTERS = 40;

/**
 * Reads single settings and collects every wrong one instead of stopping at the first. A wrong value yields the
 * fallback, so that the rest can still be checked; nothing may start with it.
 */
export function createEnvReader(env: Environment, problems: string[]) {
  /** Every name that was read: the documentation must list these. */
  const names = new Set<string>();

  function text(name: string): string | null {
    names.add(name);
    return env[name] || null;
  }

  function wrong(name: string, accepts: string, shown?: string): void {
    problems.push(`${name}: ${accepts}${shown === undefined ? "" : ` (got ${show(shown)})`}`);
  }

  return {
    names,
    text,
    wrong,
    /** Two settings that only make sense together. */
    together(one: string, other: string): void {
      if (text(one) === null && text(other) !== null) wrong(one, `must be set if ${other} is`);
      if (text(one) !== null && text(other) === null) wrong(other, `must be set if ${one} is`);
    },
    /** Separated by commas or whitespace. */
    list(name: string): readonly string[] {
      return (text(name) ?? "").split(/[\s,]+/).filter((part) => part !== "");
    },
    oneOf<const Values extends readonly string[]>(name: string, values: Values): Values[number] | null {
      const given = text(name);
      if (given === null || values.includes(given)) return given;
      wrong(name, `must be one of ${values.join(", ")}`, given);
      return null;
    },
    wholeNumber(name: string, { min, max, fallback }: WholeNumberRange): number {
      const given = text(name);
      if (given === null) return fallback;
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (value >= min && value <= max) return value;
      wrong(name, `must be a whole number from ${min} to ${max}`, given);
      return fallback;
    },
    flag(name: string): boolean | null {
      const given = text(name);
      if (given === null) return null;
      if (given === "true" || given === "1") return true;
      if (given === "false" || given === "0") return false;
      wrong(name, "must be true or false", given);
      return null;
    },
    matching(name: string, pattern: RegExp, accepts: string): string | null {
      const given = text(name);
      if (given === null || pattern.test(given)) return given;
      wrong(name, accepts, given);
      return null;
    },
    /** The value is never shown, whatever is wrong with it. */
    secret(name: string, minCharacters: number): string | null {
      const given = text(name);
      if (given === null) return null;
      if (given.length >= minCharacters && isToken(given)) return given;
      wrong(name, `must be ${minCharacters} to 4096 visible ASCII characters without spaces`);
      return null;
    },
    /** Not shown either: a URL may contain a password. */
    httpUrl(name: string): string | null {
      const given = text(name);
      if (given === null) return null;
      const url = parseHttpUrl(given);
      if (url === null) wrong(name, HTTP_URL_ACCEPTS);
      return url;
    },
  };
}

export type EnvReader = ReturnType<typeof createEnvReader>;

export const HTTP_URL_ACCEPTS = "must be an http or https address without user, password, query or fragment";

/** Without the trailing slash, ready for a path to follow; null if it is not such a URL. */
export function parseHttpUrl(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || text.length > 2000) return null;
  if (url.username || url.password || url.search || url.hash || /[?#\s]/.test(text)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

export function isToken(text: string): boolean {
  return text.length <= 4096 && TOKEN.test(text);
}

/** `10.0.0.0/8` or a single address, which becomes the narrowest network; null for anything else. */
export function parseNetwork(text: string): string | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  if (family === 0 || rest.length > 0 || address.includes("%")) return null;
  if (prefix === undefined) return `${address}/${bits}`;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${address}/${Number(prefix)}` : null;
}

function show(text: string): string {
  return JSON.stringify(
    text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text,
  );
}
